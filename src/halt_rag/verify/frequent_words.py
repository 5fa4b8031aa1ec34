"""Frequent words, letters and endings by which ``languages`` tells languages apart."""

from __future__ import annotations

#: The most frequent words of each language, and those that reports of facts are full of.
FREQUENT = {
    "en": """the store plus euro euros a am too him me us of and to in is was for on that with as by at from it are
        were be this which or an his her he she they their not have has had but its who been would there when will can
        what also after where did does how than into because while before between may must you your only under over
        during about no out we our any all these those then each other such until since i do could should if so more
        most cannot one two three five ten million day days week year years january february march june july october
        december monday sunday first new city company people made given used called built won per percent closed open
        met good great big small large long short high low old young red white black sweet cold hot hard easy same
        next last many much few several very often never always again still here near both less least own best better
        whole every another nothing something everyone someone anyone person man men woman women child children boy
        girl friend family house home school water food time times world country state government life hand place
        thing things side head night today yesterday tomorrow morning evening door book story film movie song game
        team player match season league club born known died said went got came saw took found left lost told think
        want need know like say see come look make take give tell ask feel try keep live love play run walk talk eat
        sleep drive speak read write teach wear bring buy sell rather though without within against around through
        behind above below across along toward upon yet else whether why whose himself herself itself themselves my
        mine yours ours hers theirs being having doing don doesn didn isn wasn aren couldn wouldn shouldn hasn haven
        hadn four six seven eight nine hundred thousand half second third british english german french spanish
        italian dutch chinese japanese indian russian european""",
    "de": """der die das und ist nicht von mit den dem des ein eine einen einem einer eines für auf im zu zum zur wird
        wurde wurden werden sind war waren hat haben hatte auch als bei nach aus an am es er sie ich wir ihr sich aber
        oder wie wenn dass kann können muss nur noch über unter durch vor bis seit keine kein keinen jahr jahre uhr
        welche wann wer wo beträgt liegt gibt um vom beim ihre seine mehr sowie sein zwei drei fünf zehn millionen tag
        tage täglich woche januar februar märz juni juli oktober dezember montag montags sonntag stadt erste ersten
        neue geschlossen eröffnet erhielt erhalten starb gewann stieg prozent sollte sollten bleibt gehört kostet
        gebaut mitarbeiter kunden seinen ihren dieser diese dieses jeder alle mein meine dein deine unser unsere mich
        mir dich dir uns ihm ihn ihnen sondern denn weil damit dabei dazu dort hier heute gestern morgen immer wieder
        schon sehr viel viele gegen ohne zwischen während wegen jetzt dann da so etwa alles etwas nichts jede jedes
        wohnt trinkt spielt spielen endet leitet trat ging kam sagte machte stand fand lebt arbeitet zahlen zahlt
        studierende euro kleine große gern lange habe bin bist seid""",
    "fr": """le la les un une des du de et est sont était dans pour sur avec par que qui ne pas plus au aux ce cette
        ces il elle ils elles nous vous je se sa son ses leur leurs a ont été être fut comme mais ou où en à qu peut
        doit depuis entre sans sous après avant aussi quand combien quel quelle ans année deux trois cinq dix millions
        jour jours semaine janvier février mars juin juillet octobre décembre lundi dimanche ville première premier
        fermé ouvert reçu mort mourut gagné cent doivent prenez employés contient chaque tous toutes très ouvre mon ma
        mes ton ta tes notre nos votre vos lui y cela ça celui celle hier aujourd'hui demain toujours jamais encore
        déjà beaucoup peu trop moins bien alors donc car parce pendant contre chez vers avoir faire fait dit va vient
        boit habite joue jouent dirige prend fin rien quelque plusieurs autre autres même petit petite grand grande
        euros""",
    "es": """el la los las un una de del y es son fue fueron en por para con que no se su sus al lo como más pero o
        está están era ha han hay este esta estos cuando donde desde hasta sobre entre sin también muy ya le les nos
        yo él ella ellos puede debe tiene tienen años año qué cuál cuándo dónde quién ser dos tres cinco diez millones
        día días semana enero febrero marzo junio julio octubre diciembre lunes domingo ciudad primera primer cerrado
        abierto recibió murió ganó ciento deben reciben contiene cada todos empleados abre mi mis tu tus nuestro
        nuestra me te ayer hoy mañana siempre nunca todavía mucho mucha muchos muchas poco porque aunque mientras
        contra hacia durante tras según otro otra otros mismo hace hizo dijo va vive bebe llegó termina dirige juegan
        juega hermano pequeño pequeña nada algo aquí ahora después antes euros""",
    "pt": """o a os as um uma de do da dos das e é são foi foram em no na nos nas por para com que não se seu sua seus
        ao à mais mas ou como está estão era tem têm há este esta quando onde desde até sobre entre sem também muito
        já pelo pela pode deve ele ela eles anos ano qual quem ser isso você dois duas três cinco dez milhões dia dias
        semana janeiro fevereiro março junho julho outubro dezembro segunda domingo cidade primeira primeiro fechado
        aberto recebeu morreu ganhou cento devem recebem contém cada todos funcionários abre meu minha meus minhas teu
        tua nosso nossa me te lhe ontem hoje amanhã sempre nunca ainda muita muitos muitas pouco porque embora
        enquanto contra durante após outro outra mesmo faz fez disse vai vive mora bebe chegou termina dirige brincam
        joga irmão pequeno pequena nada algo aqui agora depois antes euros às""",
    "it": """il lo la i gli le un uno una di del della dei degli delle da dal dalla e è sono fu era in nel nella con
        per che non si su sul sulla al alla ai come più ma o ha hanno anche questo questa quando dove chi ogni tra fra
        dopo prima stato stata anni anno può deve lui lei essere cosa dell all due tre cinque dieci milioni giorno
        giorni settimana gennaio febbraio marzo giugno luglio ottobre dicembre lunedì domenica città primo chiuso
        aperto ricevuto morì vinse cento devono ricevono contiene tutti dipendenti apre mio mia miei tuo tua nostro
        nostra mi ti ci vi ieri oggi domani sempre mai ancora molto molta molti molte poco perché mentre contro verso
        durante altro altra altri stesso fa fece disse va vive abita beve gioca giocano dirige scade pagano paga euro
        piccolo piccola niente qualcosa qui ora sopra sotto oltre vanno vengono viene""",
    "nl": """de het een en van in is op te zijn was werd worden wordt met voor niet aan dat die er door om naar ook
        bij uit als maar of nog over tot heeft hebben had kan moet deze dit wie wat waar wanneer hoe geen zich hij zij
        ze ik wij na jaar sinds onder tussen meer alleen ligt twee drie vijf tien miljoen dag dagen week januari
        februari maart juni juli oktober december maandag zondag stad eerste gesloten geopend kreeg stierf won procent
        mogen krijgen bevat elke alle werknemers kosten neem bedragen steeg mijn jouw onze ons hun haar hem me mij
        gisteren vandaag morgen altijd nooit steeds veel weinig omdat terwijl tegen tijdens zonder elk ander andere
        zelf doet deed zei gaat ging kwam woont drinkt speelt spelen leidt eindigt trad betalen betaalt graag kleine
        grote niets iets hier daar nu boven moeten thuis euro maand helft laat""",
    "sv": """och att det som en ett är på av för med den till inte har var de om från vid kan efter under hade när
        mellan men eller finns inga år två tre fem miljoner dag dagar januari maj juni måndag stängt min mitt mina din
        ditt sin sitt sina vår vårt jag du han hon vi ni ej också bara mycket många några alla andra varje igår idag
        imorgon går alltid aldrig redan sedan utan mot över genom medan eftersom bor dricker äter leker leder spelar
        ligger kom gick fick sade säger blev blir ska skulle måste stor stora liten små gärna öppet öppnar kronor ut
        upp ner denna detta dessa""",
    "da": """og at det som en et er på af for med den til ikke har var de om fra ved kan efter under havde når mellem
        men eller blev der ingen år to tre fem millioner dag dage januar maj juni mandag lukket min mit mine din dit
        sin sit sine vores jeg du han hun vi også kun meget mange nogle alle andre hver igår idag går altid aldrig
        allerede siden uden mod over gennem mens fordi bor drikker spiser leger leder spiller ligger kom gik fik sagde
        siger bliver skal skulle må stor store lille små gerne åbent åbner kroner ud op ned denne dette disse sammen
        tilbage""",
    "nb": """og at det som en et er på av for med den til ikke har var de om fra ved kan etter under hadde når mellom
        men eller ble der ingen år to tre fem millioner dag dager januar mai juni mandag stengt min mitt mine din ditt
        sin sitt sine vår vårt jeg du han hun vi også bare mye mange noen alle andre hver igår idag går alltid aldri
        allerede siden uten mot over gjennom mens fordi bor drikker spiser leker leder spiller ligger kom gikk fikk sa
        sier blir skal skulle må stor store liten små gjerne åpent åpner kroner ut opp ned denne dette disse sammen
        tilbake""",
    "fi": """ja on oli ei se että joka ovat myös kun hän olla mutta tai vuonna kuin sen ole jotka mukaan minä sinä me
        te he tämä tuo nämä minun hänen meidän heidän en et emme eivät eikä vain hyvin paljon monet kaikki nyt sitten
        aina vielä jo eilen tänään huomenna asuu juo syö leikkii pelaa tuli meni sai sanoi ollut voi pitää suuri pieni
        jälkeen ennen aikana kanssa ilman yli alle euroa kaksi kolme viisi""",
    "pl": """i w z na do jest się nie że to od był była było są dla po przez jak oraz za ale roku który która które
        przy lub tylko kiedy został została dwa trzy pięć milionów dzień dni stycznia maja czerwca muzeum mój moja
        moje twój nasz jego jej ich mnie ci mu ja ty my wy ona ono oni ten ta te tego tej tym wczoraj dzisiaj dziś
        jutro zawsze nigdy już jeszcze bardzo wiele dużo mało każdy każda wszyscy inny ponieważ podczas przed między
        bez nad mieszka pije lubi gra bawi kieruje kończy ma mają może musi poszedł przyszedł powiedział mały duży
        nic coś tu tam teraz""",
    "cs": """a je na se že to do byl byla bylo jsou od po jako ale nebo který která které roku také být má není při
        kdy můj moje tvůj náš jeho její jejich mě mi ti mu já ty my vy on ona ono oni ten ta tohoto té tom včera dnes
        zítra vždy nikdy již už ještě velmi mnoho málo každý všichni jiný protože během před mezi bez nad bydlí
        pije hraje hrají řídí končí mají může musí šel přišel řekl malý velký nic něco tady tam teď v ve s k z u i o""",
    "ro": """și în de la cu pe un o este sunt a fost nu că din pentru care mai dar sau al ale cel această prin după
        când între are meu mea mei tău său sa lui ei lor noi voi ea el eu tu îl îi mă te se am ai avem au ieri astăzi
        azi mâine mereu niciodată încă deja foarte mult multe mulți puțin fiecare toți alt deoarece timpul înainte
        fără sub peste locuiește bea joacă conduce încheie poate trebuie mare mic nimic ceva aici acum iar""",
    "tr": """ve bir bu da de için ile olarak olan daha çok ne gibi kadar değil var yok ise sonra her olduğu tarafından
        yılında iki üç beş milyon gün yıl mayıs pazartesi günleri günü dır ben sen biz siz onlar benim senin onun
        bizim bunu şu dün bugün yarın zaman hiç artık az birçok bazı bütün çünkü ama fakat önce üzere karşı geç erken
        büyük küçük yaşıyor içiyor oynuyor yönetiyor etti oldu geldi gitti dedi aldı ediyor oluyor yapıyor edildi
        şimdi burada orada dört euro""",
    "id": """yang dan di ke dari untuk dengan pada adalah ini itu tidak dalam oleh atau sebagai telah akan juga ada
        tahun bisa saya aku kamu dia kami kita mereka sangat banyak sedikit setiap semua lain karena ketika sebelum
        setelah sejak antara tanpa atas bawah tinggal minum makan bermain memimpin kemarin hari besok selalu pernah
        sudah belum masih besar kecil harus hanya lebih orang anak tersebut menjadi satu dua tiga""",
    "hu": """a az és hogy nem egy van volt meg ez ezt csak de mint el már vagy ki év által én te ő mi ti ők ennek
        annak nagyon sok kevés minden más mert amikor előtt után között nélkül alatt felett lakik iszik játszik vezeti
        lejár tegnap ma holnap mindig soha még lesz lehet kell nagy kicsi semmi valami itt ott most ami aki két három
        öt""",
    "vi": """và của là có trong được cho không với một các những đã người này từ khi năm đến tôi anh chị em ông bà
        chúng ta họ nó rất nhiều ít mỗi tất cả khác vì trước sau giữa trên dưới sống ở uống ăn chơi hôm qua nay mai
        luôn chưa đang sẽ bị phải lớn nhỏ gì""",
    "ru": """и в не на что с по это он она они как из за от для был была было были есть к но или его её их у же бы при
        до после года году где когда кто который также только можно лет два три пять миллионов день дней января мая
        июня понедельникам понедельник процентов новый города выросла открыта закрыт""",
    "uk": """і в не на що з по це він вона вони як із за від для був була було були є до але або його її їх у та при
        після року де коли хто який також тільки можна два три п'ять мільйонів день днів січня травня червня понеділок
        відсотків зачинений відкрив""",
    "bg": """и в не на че с по това той тя те като от за беше са е но или му ѝ при до след година къде кога кой също
        само може се""",
    "ar": """في من على إلى عن أن هذا هذه التي الذي ما لا لم هو هي كان كانت مع أو بعد قبل عند كل بين قد ذلك ليس عام يوم
        حتى متى أين هل و ولم ولا كما غير أي""",
    "fa": """در به از که این را با است برای آن بود شد یک می های و تا هم یا بر نیست شده کرد سال خود""",
    "ur": """کے کی میں ہے اور سے کا کو نے پر ہیں یہ تھا تھی اس نہیں ایک وہ بھی کیا گیا لیے""",
    "hi": """के का की में है और से को ने पर हैं यह था थी थे इस नहीं एक वह भी किया गया लिए कि जो हो कर तो या कब कहाँ
        कौन क्या अपने तक""",
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
