"""Text with exact spans: offsets, lines, sentences, token windows."""
