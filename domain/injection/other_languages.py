"""The wordings that occur most, in other languages."""

from domain.injection.rows import rule, wide_rule

GERMAN = rule(
    "(?:ignorier(?:e|en sie|t)?|vergiss|vergessen sie|missachte(?:n sie)?|übergehe?n?(?: sie)?|verwirf|verwerfen sie"
    "|umgehe?n?(?: sie)?|überschreibe?n?(?: sie)?|befolge?n?(?: sie)? nicht) {4} (?:vorherig|vorig|bisherig|obig"
    "|früher"
    "|vorangegangen|vorangehend|vorstehend|ursprünglich|zuvor|bestehend|dein|system)\\w* {2}"
    " (?:\\w*anweisung|instruktion|vorgabe|befehl|\\w*prompt|richtlinie|aufforderung|regel|programmierung"
    "|systemnachricht)\\w*",
    "(?:ignorier(?:e|en sie)|vergiss|vergessen sie) {3} (?:alles|was) {3} (?:davor|bisher|zuvor|oben|vorher|gesagt)",
    "(?:du bist|sie sind|agiere|verhalte dich|antworte) (?:jetzt|nun|ab (?:jetzt|sofort|nun)|fortan|nicht (?:mehr"
    "|länger)|als)"
    " {4} (?:ki|assistent\\w*|chatbot|bot|sprachmodell|modell|dan|uneingeschränkt\\w*|unzensiert\\w*)",
    "(?:ab (?:jetzt|sofort)|von nun an) (?:bist du|antwortest du|antworten sie|agieren sie|verhältst du dich"
    "|verhalten sie sich|antworte|agiere|ignorier\\w*)",
    "(?:hinweis|anweisung|nachricht|achtung|mitteilung|anmerkung|befehl|bitte|notiz)(?:en)?:? (?:an|für) (?:die "
    "|alle |den |das"
    " |jede |jeden |jedes )*(?:ki(?:s|-\\w+)?|künstliche intelligenz|assistent\\w*|sprachmodelle?|chatbots?|bots?"
    "|llms?)"
    "(?:[:,.!—–-]| (?:die|der|das|welche)\\W)",
    "(?:falls|wenn|sofern) du ein(?:e)? (?:ki|ki-\\w+|künstliche intelligenz|sprachmodell|assistent\\w*|chatbot|bot"
    "|llm)"
    " (?:bist|liest)",
    "(?:an|für) (?:die |alle |den |das |jede |jeden |jedes )*(?:ki|sprachmodelle?|chatbots?|llms?"
    "|ki-\\w+)(?:,)? (?:die|der|das"
    "|welche[rs]?) {3} (?:liest|lesen|verarbeitet|verarbeiten|auswertet|auswerten)",
    "(?:ki|(?:liebe[rs]? )?sprachmodell|chatbot),? (?:bitte )?(?:tu|nenne|sage?|antworte|zeige?|gib|lass|ignoriere?"
    "|empfiehl|erwähne|behaupte|(?:nennen|sagen|antworten|zeigen|geben|ignorieren|empfehlen|erwähnen|behaupten) sie)",
    "(?:achtung|hallo|liebe[rs]?),? (?:ki(?:-\\w+)?|sprachmodelle?|chatbots?|llms?) ?[:,.!—–-]",
    "(?:gib|zeige?|nenne?|verrate?|drucke?|wiederhole?|schreibe?|geben sie|zeigen sie|nennen sie|wiederholen sie)"
    " {4} (?:system"
    "(?: |-)?prompt|systemanweisung|systemnachricht|deine[nr]? (?:anweisung|prompt|instruktion|vorgabe))\\w*",
    "antworte(?:n sie)? (?:nur(?: noch)?|ausschliesslich|immer|stets|lediglich|einfach) mit",
    "(?:beginne|beende|starte) (?:jede|deine|alle)[rn]? {1} antwort(?:en)? (?:mit|durch)",
    "deine (?:neue|eigentliche|wahre|einzige) (?:aufgabe|anweisung|rolle|instruktion) (?:ist|lautet)",
    "(?:füge?|hänge?|schreibe?|setze?|ergänze?) {5} (?:jede|jeder|alle|allen|deine|deiner)[rn]? antwort(?:en)?",
    "in (?:jeder|deiner|allen) antwort(?:en)? {3} (?:nennen?|schreib|verlink|erwähn|empf)\\w*",
    "(?:erwähne?|verrate?|nenne?) {2} (?:diese[nrs]?) (?:anweisung|hinweis|nachricht|text)\\w* {2} nicht",
    "(?:sende|schicke?|übermittle|übertrage|leite|senden sie|schicken sie|hänge) {5} (?:gesprächsverlauf|chatverlauf"
    "|unterhaltung"
    "|konversation|systemprompt|system-prompt|frage des (?:nutzers|benutzers|fragenden)|fundstellen) {5} (?:an"
    "|weiter|zu)",
)
"""German."""

ROMANCE = rule(
    "(?:ignore[zr]?|oublie[zr]?|(?:ne )?(?:tiens|tenez) pas compte d\\w+|fais abstraction) {3} (?:instructions"
    "|consignes|directives"
    "|règles|indications) {2} (?:précédent|antérieur|initial|ci-dessus|reçues|d['’]origine|du système)\\w*",
    "(?:message|note|consigne|instruction|attention|remarque|avis)s? {3} (?:pour|à|aux|des|de) (?:l['’]|les |le "
    "|la |tous les )*"
    "(?:assistants?|ia|modèles? de langage|chatbots?|llms?)(?: ia| d['’]ia| virtuels?)? ?[:,.!—–-]",
    "si (?:tu es|vous êtes) (?:une? )?(?:ia|assistant|modèle de langage|chatbot|robot)\\W",
    "(?:n['’]obéis|n['’]obéissez|ne (?:suis|suivez|respecte|respectez)) (?:plus|pas) {2} (?:tes|vos"
    "|les) (?:règles|consignes"
    "|instructions|directives)",
    "(?:réponds|répondez|répondre) {3} sans (?:aucune )?(?:restrictions?|limites?|filtres?)",
    "ne (?:réponds|répondez) plus (?:aux questions|à l['’]utilisateur)",
    "(?:tu es|vous êtes) (?:maintenant|désormais|à présent) {3} (?:ia|assistant|modèle|chatbot)\\w*",
    "(?:réponds|répondez) (?:uniquement|seulement|exclusivement) (?:par|avec)",
    "(?:révèle|affiche|montre|répète|donne|écris)[zr]? {3} (?:prompt|invite|instructions) (?:du |de )?(?:système"
    "|système|initiale?s?)",
    "(?:ignora|ignore|ignoren|olvida|olvide|omite|haz caso omiso de|desestima) {3} (?:instrucciones|indicaciones"
    "|órdenes|directrices"
    "|reglas) {2} (?:anterior|previa|inicial|de arriba|recibida|original)\\w*",
    "(?:nota|mensaje|aviso|instrucci[oó]n|instrucciones|atención) (?:para|a|al|del?)?,? ?(?:el |la |los |las "
    "|todos los )*"
    "(?:modelos? de lenguaje|asistentes?(?: de ia)?|ia|chatbots?|llms?) ?[:,.!—–-]",
    "si (?:eres|usted es) (?:una? )?(?:ia|asistente|modelo de lenguaje|chatbot|bot)\\W",
    "se sei (?:un['’] ?|una? )?(?:ia|assistente|modello linguistico|chatbot|bot)\\W",
    "no (?:sigas|siga|obedezcas|respetes) {2} (?:reglas|instrucciones|normas|directrices) (?:del sistema"
    "|anteriores|recibidas"
    "|iniciales|originales)",
    "(?:responde|contesta) {3} sin (?:ninguna )?(?:restricci[oó]n|restricciones|límites|filtros)",
    "(?:nota|messaggio|avviso|istruzioni) (?:per|a|al) (?:il |lo |la |l['’]|gli "
    "|tutti gli )*(?:modelli? linguistic[oi]|modello"
    " di linguaggio|assistenti?(?: ia)?|ia|chatbot|llm) ?[:,.!—–-]",
    "non (?:seguire|seguite|rispettare) {2} (?:regole|istruzioni|direttive) (?:ricevute|precedenti|iniziali"
    "|del sistema)",
    "(?:nota|mensagem|aviso|instruções) (?:para|a|ao) (?:o |a |os |as |todos os )*(?:modelos? de linguagem"
    "|assistentes?(?: de"
    " ia)?|ia|chatbots?|llms?) ?[:,.!—–-]",
    "(?:bericht|opmerking|instructie|aan) (?:voor|aan)? ?(?:de |het |alle )*(?:taalmodel(?:len)?"
    "|ai-assistent(?:en)?|chatbots?"
    "|llm['’]?s?) ?[:,.!—–-]",
    "(?:eres|usted es) (?:ahora|a partir de ahora) {3} (?:ia|asistente|modelo|chatbot)",
    "ahora eres {3} (?:ia|asistente|modelo|chatbot)",
    "(?:responde|contesta|responda) (?:únicamente|solamente|sólo|solo|exclusivamente) con",
    "(?:muestra|revela|imprime|repite) {3} (?:prompt|instrucciones) (?:del |de )?(?:sistema|iniciales)",
    "(?:ignora|ignorate|dimentica|dimenticate|trascura) {3} (?:istruzioni|indicazioni|direttive|regole) {2}"
    " (?:precedent|iniziali"
    "|sopra|ricevute|originali)\\w*",
    "(?:ignore|ignora|ignorem|esqueça|esqueca|desconsidere) {3} (?:instruções|orientações|comandos|regras"
    "|diretrizes) {2} (?:anterior"
    "|prévia|acima|inicia|recebida)\\w*",
    "(?:negeer|vergeet) {3} (?:vorige|eerdere|voorgaande|bovenstaande|vorige) {1} (?:instructies|aanwijzingen"
    "|opdrachten|regels)",
)
"""French, Spanish, Italian and Portuguese, and in Dutch."""

SLAVIC = rule(
    "(?:з?ігноруй\\w*|игнорируй\\w*|проигнорируй\\w*|забудь\\w*|не обращай\\w* внимания на|отмени\\w*) {2}"
    " (?:предыдущ|прежн|вышеука|выше"
    "|прошл|попередн|системн|сво)\\w* {1} (?:инструкц|указан|команд|правил|промпт|інструкц)\\w*",
    "(?:ты|вы) (?:теперь|отныне) {3} (?:ии|ассистент|помощник|модель|бот)\\w*",
    "(?:z?ignoruj\\w*|zapomnij\\w*|pomiń) {3} (?:poprzedni|wcześniejsz|powyższ|dotychczas)\\w* {1} (?:instrukcj"
    "|polece|wskazów|zasad)\\w*",
    "önceki (?:tüm )?(?:talimat|komut|yönerge)\\w* (?:yok say|unut|dikkate alma|görmezden gel)\\w*",
)
"""Russian, Ukrainian and Polish, and in Turkish."""

EAST_ASIAN = wide_rule(
    "(?:忽略|无视|忘记|忘掉|不要理会|忽視|無視|忘記)[^。！？\\n]{0,8}(?:之前|以上|先前|前面|上述|上面|此前|原来|系统|系統)[^。！？\\n]{0,8}(?:指令|指示|提示|说明"
    "|命令|规则|規則)",
    "(?:你现在是|从现在起你是|從現在起你是)[^。！？\\n]{0,12}(?:助手|模型|机器人|人工智能|ai)",
    "(?:输出|显示|告诉我|透露|重复)[^。！？\\n]{0,6}(?:系统提示|系統提示)",
    "(?:以前|これまで|上記|前|従来|今まで|ここまで)の[^。！？\\n]{0,8}(?:指示|命令|プロンプト|ルール)[^。！？\\n]{0,6}(?:無視|忘れ)",
    "이전(?:의)? ?(?:모든 )?(?:지시|명령|지침|프롬프트)[^.!?\\n]{0,8}(?:무시|잊)",
)
"""Chinese, Japanese and Korean."""
