from hypothesis import settings

# A deadline per example is an assertion on absolute time, which a busy machine breaks.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
