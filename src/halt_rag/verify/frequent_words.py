"""Frequent words, letters and endings by which ``languages`` tells languages apart."""

from __future__ import annotations

#: The most frequent words of each language, and those that reports of facts are full of.
FREQUENT = {
    "en": """the a am too him me us of and to in is was for on that with as by at from it are were be this which
        or an his her he she they their not have has had but its who been would there when will can what also
        after where did does how than into because while before between may must you your only under over during
        about no out we our any all these those then each other such until since i do could should if so more
        most cannot one two three five ten million day days week year years january february march june july
        october december monday sunday first new city company people made given used called built won per
        percent closed open""",
    "de": """der die das und ist nicht von mit den dem des ein eine einen einem einer eines für auf im zu zum
        zur wird wurde wurden werden sind war waren hat haben hatte auch als bei nach aus an am es er sie ich
        wir ihr sich aber oder wie wenn dass kann können muss nur noch über unter durch vor bis seit keine kein
        keinen jahr jahre uhr welche wann wer wo beträgt liegt gibt um vom beim ihre seine mehr sowie sein zwei
        drei fünf zehn millionen tag tage täglich woche januar februar märz juni juli oktober dezember montag
        montags sonntag stadt erste ersten neue geschlossen eröffnet erhielt erhalten starb gewann stieg prozent
        sollte sollten bleibt gehört kostet gebaut mitarbeiter kunden seinen ihren dieser diese dieses jeder
        alle""",
    "fr": """le la les un une des du de et est sont était dans pour sur avec par que qui ne pas plus au aux ce
        cette ces il elle ils elles nous vous je se sa son ses leur leurs a ont été être fut comme mais ou où en
        à qu peut doit depuis entre sans sous après avant aussi quand combien quel quelle ans année deux trois
        cinq dix millions jour jours semaine janvier février mars juin juillet octobre décembre lundi dimanche
        ville première premier fermé ouvert reçu mort mourut gagné cent doivent prenez employés contient chaque
        tous toutes très ouvre""",
    "es": """el la los las un una de del y es son fue fueron en por para con que no se su sus al lo como más
        pero o está están era ha han hay este esta estos cuando donde desde hasta sobre entre sin también muy ya
        le les nos yo él ella ellos puede debe tiene tienen años año qué cuál cuándo dónde quién ser dos tres
        cinco diez millones día días semana enero febrero marzo junio julio octubre diciembre lunes domingo
        ciudad primera primer cerrado abierto recibió murió ganó ciento deben reciben contiene cada todos
        empleados abre""",
    "pt": """o a os as um uma de do da dos das e é são foi foram em no na nos nas por para com que não se seu
        sua seus ao à mais mas ou como está estão era tem têm há este esta quando onde desde até sobre entre sem
        também muito já pelo pela pode deve ele ela eles anos ano qual quem ser isso você dois duas três cinco
        dez milhões dia dias semana janeiro fevereiro março junho julho outubro dezembro segunda domingo cidade
        primeira primeiro fechado aberto recebeu morreu ganhou cento devem recebem contém cada todos
        funcionários abre""",
    "it": """il lo la i gli le un uno una di del della dei degli delle da dal dalla e è sono fu era in nel nella
        con per che non si su sul sulla al alla ai come più ma o ha hanno anche questo questa quando dove chi
        ogni tra fra dopo prima stato stata anni anno può deve lui lei essere cosa dell all due tre cinque dieci
        milioni giorno giorni settimana gennaio febbraio marzo giugno luglio ottobre dicembre lunedì domenica
        città primo chiuso aperto ricevuto morì vinse cento devono ricevono contiene tutti dipendenti apre""",
    "nl": """de het een en van in is op te zijn was werd worden wordt met voor niet aan dat die er door om naar
        ook bij uit als maar of nog over tot heeft hebben had kan moet deze dit wie wat waar wanneer hoe geen
        zich hij zij ze ik wij na jaar sinds onder tussen meer alleen ligt twee drie vijf tien miljoen dag dagen
        week januari februari maart juni juli oktober december maandag zondag stad eerste gesloten geopend kreeg
        stierf won procent mogen krijgen bevat elke alle werknemers kosten neem bedragen steeg""",
    "sv": """och att det som en ett är på av för med den till inte har var de om från vid kan efter under hade
        när mellan men eller finns inga år två tre fem miljoner dag dagar januari maj juni måndag stängt""",
    "da": """og at det som en et er på af for med den til ikke har var de om fra ved kan efter under havde når
        mellem men eller blev der ingen år to tre fem millioner dag dage januar maj juni mandag lukket""",
    "nb": """og at det som en et er på av for med den til ikke har var de om fra ved kan etter under hadde når
        mellom men eller ble der ingen år to tre fem millioner dag dager januar mai juni mandag stengt""",
    "fi": """ja on oli ei se että joka ovat myös kun hän olla mutta tai vuonna kuin sen ole jotka mukaan""",
    "pl": """i w z na do jest się nie że to od był była było są dla po przez jak oraz za ale roku który która
        które przy lub tylko kiedy został została dwa trzy pięć milionów dzień dni stycznia maja czerwca muzeum""",
    "cs": """a je na se že to do byl byla bylo jsou od po jako ale nebo který která které roku také být má není
        při kdy""",
    "ro": """și în de la cu pe un o este sunt a fost nu că din pentru care mai dar sau al ale cel această prin
        după când între are""",
    "tr": """ve bir bu da de için ile olarak olan daha çok ne gibi kadar değil var yok ise sonra her olduğu
        tarafından yılında iki üç beş milyon gün yıl mayıs pazartesi günleri günü dır""",
    "id": """yang dan di ke dari untuk dengan pada adalah ini itu tidak dalam oleh atau sebagai telah akan juga
        ada tahun bisa""",
    "hu": """a az és hogy nem egy van volt is meg ez ezt csak de mint el már vagy ki év által""",
    "vi": """và của là có trong được cho không với một các những đã người này từ khi năm đến""",
    "ru": """и в не на что с по это он она они как из за от для был была было были есть к но или его её их у же
        бы при до после года году где когда кто который также только можно лет два три пять миллионов день дней
        января мая июня понедельникам понедельник процентов новый города выросла открыта закрыт""",
    "uk": """і в не на що з по це він вона вони як із за від для був була було були є до але або його її їх у та
        при після року де коли хто який також тільки можна два три п'ять мільйонів день днів січня травня червня
        понеділок відсотків зачинений відкрив""",
    "bg": """и в не на че с по това той тя те като от за беше са е но или му ѝ при до след година къде кога кой
        също само може се""",
    "ar": """في من على إلى عن أن هذا هذه التي الذي ما لا لم هو هي كان كانت مع أو بعد قبل عند كل بين قد ذلك ليس
        عام يوم حتى متى أين هل و ولم ولا كما غير أي""",
    "fa": """در به از که این را با است برای آن بود شد یک می های و تا هم یا بر نیست شده کرد سال خود""",
    "ur": """کے کی میں ہے اور سے کا کو نے پر ہیں یہ تھا تھی اس نہیں ایک وہ بھی کیا گیا لیے""",
    "hi": """के का की में है और से को ने पर हैं यह था थी थे इस नहीं एक वह भी किया गया लिए कि जो हो कर तो या कब
        कहाँ कौन क्या अपने तक""",
    "mr": """आणि आहे च्या ते हे या तो ती नाही होते होता होती केली केले मध्ये एक हा ही आहेत साठी म्हणून""",
}  # fmt: skip
#: Letters that few languages have.
LETTERS_OF = {
    "de": "ßäöü", "fr": "œèêùâîçëéà", "es": "ñ¿¡áíóúé", "pt": "ãõáíóúéêâçà", "it": "èòùìà", "sv": "åäö", "da": "æøå",
    "nb": "æøå", "fi": "äö", "pl": "łąęśżźńó", "cs": "ěřůčžáíéý", "ro": "șțăţşâî", "tr": "ığşüöç", "hu": "őűáéóöü",
    "vi": "ăơưđạếộ", "nl": "ë", "ru": "ыэё", "uk": "іїєґ", "fa": "پچژگ", "ur": "ٹڈڑےںہ",
}  # fmt: skip

#: Ends of words that few languages have, of at least five letters.
ENDINGS = {
    "en": "ing tion tions ly ness ment ments ght ould ed ship ful ies",
    "de": "ung ungen lich liche lichen keit heit isch ische ischen schaft ieren iert tigt",
    "fr": "eux euse ement ements ées aient aux ique iques eur eurs ité ités és",
    "es": "ción ciones dad dades mente aron ieron ando iendo ados adas ió",
    "pt": "ção ções dade dades mente aram eram iram ando ados adas ência",
    "it": "zione zioni tà mente ando endo ato ata ati ate ità ggio",
    "nl": "heid lijk lijke ijk ingen aar eren tie ties isch",
    "sv": "ningen ande heten arna erna", "da": "ningen erne ende hed", "nb": "ningen ene ende het",
    "pl": "ość ości ego emu ych ów owa owy", "tr": "lar ler dır dir tır ında inde ların lerin nda",
    "fi": "ssa ssä sta stä lla llä ksi nen iin", "hu": "ban ben nak nek ból ság ség",
    "ro": "ului ilor ților ație ele", "cs": "ého ých ích ost osti ení", "id": "nya kan",
}  # fmt: skip
