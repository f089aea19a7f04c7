"""Words after or before which a password, code or token stands in running text, in thirteen languages, and the words
between the two (`is`, `to`, a colon)."""

from collections.abc import Iterable, Mapping
from re import escape

from domain.masking.re2_patterns import Re2Pattern
from domain.patterns import LinearRegex

LETTER = r"[A-Za-z\x{C0}-\x{24F}\x{370}-\x{52F}]"
"""Latin, Greek and Cyrillic, for RE2: its own classes of letters make programs of many thousand steps."""

PASSWORDS: Mapping[str, str] = {  # `*`: any letters; `?`: the letter before it may be missing
    "en": "*password*, *passwd, pass word, passcode*, pass code*, *passphrase*, pass phrase*, passkey, pwd, pw, pword, psw, credential*, creds,"
    "login*, log-in*, log in, wifi key, wi-fi key, wlan key, network key",
    "de": "*passwort*, *passwört*, *kennwort*, *kennwört*, zugangsdaten, anmeldedaten, login-daten, logindaten, codewort, losungswort,"
    "wlan-schlüssel, wlanschlüssel, netzwerkschlüssel",
    "fr": "mot de passe, mots de passe, mdp, identifiant?s, phrase secrète, phrase de passe, clé wifi, clé wi-fi",
    "es": "contraseña*, contrasena*, clave*, credenciales, frase de contraseña, frase de paso, frase secreta, frase de acceso",
    "pt": "senha*, palavra-passe, palavra passe, palavras-passe, credenciais, frase secreta, frase-senha",
    "it": "parola d'ordine, parola d’accesso, parola chiave, frase segreta, credenziali, chiave wifi, chiave wi-fi",
    "nl": "*wachtwoord*, *wachtzin*, ww van, ww voor, ww is, inloggegevens, inlogcode, wifi-sleutel",
    "pl": "hasło*, hasła*, hasłem*, hasłu, haśle, haseł, haslo, dane logowania, danych logowania, danymi logowania, dane dostępowe",
    "ru": "парол*, пасс, пассворд*, кодов* слов*, кодов* фраз*, учетн* данн*, учётн* данн*, логин*",
    "tr": "*şifre*, *sifre*, parola*, giriş bilgi*",
    "zh": "密码, 密碼, 口令, 通行码, 密匙, 凭据, 登录信息, 暗号",
    "ja": "パスワード, パスコード, パスフレーズ, 合言葉, 認証情報, ログイン情報",
    "ko": "비밀번호, 패스워드, 비번, 암호, 로그인 정보, 접속 정보",
}

NUMBERS: Mapping[str, str] = {
    "en": "code, pin, pin code*, pin-code*, pin number, access code*, security code*, door code*, entry code*, alarm code*, gate code*, unlock code*, safe code*,"
    "vault code*, voicemail code, conference code, dial-in code, meeting code, room code, lock combination, safe combination, locker combination, padlock code,"
    "lock code, keypad code, backup code*, recovery code*",
    "de": "zugangscode*, zutrittscode*, türcode*, tür-code*, sperrcode*, alarmcode*, pincode*, zahlencode*, sicherheitscode*, freischaltcode*, eingangscode*,"
    "garagencode*, hauscode*, torcode*, entsperrcode*, safecode*, tresorcode*, geheimzahl, *-pin, handy-code",
    "fr": "code d'accès, code d’accès, code secret, code pin, code wifi, code de la porte, code porte, code de la salle, code de l'alarme, code d'entrée,"
    "code du portail, code du coffre, code de l'immeuble, code du bâtiment, code du parking, code du local, digicode, code alarme, code du cadenas",
    "es": "código*, pin",
    "pt": "código*",
    "it": "codice*, codici",
    "nl": "toegangscode*, deurcode*, alarmcode*, wificode, wifi-code, code van de, code van het",
    "pl": "kod do, kod dostępu, kod pin, kodem, kodu do",
    "ru": "код от, код доступа, код для, код на, пин, пинкод*, пин-код*",
    "tr": "* kodu, * kodunu, * kodumuz, * kodun",
    "zh": "门禁码, 验证码, 开门码",
    "ja": "暗証番号, 解除番号, 入室番号",
    "ko": "출입문 번호, 도어락 번호, 출입 코드, 출입문 비밀번호",
}
"""What announces a number."""

NEAR: Mapping[str, str] = {
    "en": "pass, logs in with, log in with, logs in as, authenticates with, sign in with, signs in with",
    "ja": "パスは",
}
"""Words that mean other things too: what they announce stands directly behind them."""

TOKENS: Mapping[str, str] = {
    "en": "api key*, api-key*, apikey*, api token*, api secret*, access key*, access token*, secret key*, secret access key*, * token, * tokens, token*,"
    "* secret, secret*, signing key*, encryption key*, license key*, licence key*, service key*, deploy key*, client key*, master key*, unseal key*, join key*",
    "de": "api-schlüssel*, api-token, zugangsschlüssel*, zugriffsschlüssel*, zugriffstoken, geheimnis*, schlüssel*",
    "fr": "clé api, clé d'api, clé d’api, clé secrète, clés api, jeton*",
    "es": "clave api, clave de api, llave api, llave de api, ficha*, secreto*",
    "pt": "chave api, chave de api, chave da api, chave*, segredo*",
    "it": "chiave api, chiave segreta, segreto*",
    "nl": "api-sleutel*, sleutel*",
    "pl": "klucz*, sekret*",
    "ru": "ключ*, токен*, секрет*",
    "tr": "*anahtar*, gizli anahtar*",
    "zh": "密钥, 密鑰, 令牌, 秘钥",
    "ja": "トークン, シークレット, APIキー, アクセスキー",
    "ko": "토큰, 시크릿, API키, API 키, 액세스 키",
}

_TIES = (
    "is|was|are|be|been|to|as|from|now|currently|still|it's|its|here|reads|becomes|use|using|try|type|enter|says|called|remains|stays|set|value|below|follows|"
    "von|vom|ist|war|lautete?n?|sind|heißt|heisst|auf|als|jetzt|nun|aktuell|derzeit|bleibt|wurde|verwende[\\pL\\pN_]*|nutze[\\pL\\pN_]*|nimm|mit|wert|folgt|unten|"
    "de|à|est|était|sont|devient|en|maintenant|désormais|reste|comme|utilise[\\pL\\pN_]*|avec|voici|valeur|suivante?|"
    "es|era|está|tá|son|será|ahora|siendo|como|con|usa[\\pL\\pN_]*|é|eram|são|agora|para|por|fica|ficou|virou|usem?|com|valor|"
    "è|sono|adesso|ora|resta|rimane|diventa|come|usate|luidt|zijn|naar|nu|blijft|wordt|werd|gebruik|met|"
    "z|brzmi|brzmiało|jest|na|było|teraz|obecnie|jako|użyj|"
    "с|это|есть|на|был|была|теперь|сейчас|такой|такая|следующ[\\pL\\pN_]+|остается|остаётся|используй[\\pL\\pN_]*|şu|şöyle|olarak|ise|artık|şimdi|yeni"
)
_TIES_CJK = "是|为|為|值|같습니다|改为|改成|改為|设为|设置为|重置为|就是|用|成|从|由|から|は|が|を|に|、|는|은|이|가|을|를|로|으로|에서|です。?|입니다\\.?"
_BLANK = r"\s\x{0B}\x{1C}-\x{1F}\x{85}\x{2028}\x{2029}"
_DRESS = rf"[{_BLANK}\"'(*_\[~>`#-]*"
_BEFORE = r"(?:^|[^\pL\pN_])"
TIED = Re2Pattern(rf"(?i)(?:{_BEFORE}(?:{_TIES})|(?:{_TIES_CJK})|[:=→/]|->|=>){_DRESS}$")
"""Text between the announcing word and the secret that ends with what ties them: a copula, `to`, a colon."""

TOLD = Re2Pattern(
    rf"(?i)(?:{_BEFORE}(?:is|was|it's|ist|war|lautete?n?|heißt|est|était|es|era|é|è|luidt|brzmi|brzmiało|jest|это)|(?:是|就是|は|는|은)|[:=])"
    + _DRESS
    + "$"
)
"""The same where what follows can only be said, not done."""

NEARLY = Re2Pattern(rf"(?i){_BEFORE}(?:{_TIES})[{_BLANK}]+[\pL_]{{2,14}}{_DRESS}$")
"""The same with one word more: `ist übrigens`."""

HANDED = LinearRegex(
    r"(?i)^[\"'`*_)\s]*(?:(?:is|as|for|was|ist|als|war|est|comme|es|como|é|è|come|to|jako|это|как|olarak|是|这个|这一|が|を|は|가|이|을|를)[\s\"'`*_]*)*"
    r"(?:(?:the|our|a|your|my|new|das|unser|dein|neue[sr]?|le|notre|la|el|nuestra|nossa|nowe|nasze|наш|новый|het|ons|de|il|lo|una?)\s+){0,2}"
    r"(?:[\w-]{1,20}\s+){0,2}$"
)
"""Text between a secret and the announcing word behind it: `… as the`, `… ist das`."""


def pattern(words: Iterable[str]) -> str:
    """One expression for RE2 over the words, group 1 what was found; whole words, where a script parts words."""
    parted: list[str] = []
    joined: list[str] = []
    for entry in _entries(words):
        source = (
            escape(entry)
            .replace(r"\*", f"{LETTER}*")
            .replace(r"\?", "?")
            .replace(r"\ ", "[ _-]?")
            .replace(f"^{LETTER}*", "")
        )
        (joined if any("\u3040" <= char <= "\uffef" for char in entry) else parted).append(source)
    before, after = f"(?:^|[^0-9{LETTER[1:-1]}])", f"(?:[^0-9_{LETTER[1:-1]}]|$)"
    return rf"(?i)(?:{before}({'|'.join(parted)}){after}|({'|'.join(joined)}))"


def keywords(words: Iterable[str]) -> tuple[str, ...]:
    """What stands in every text in which one of the words does: several words in each way in which they are joined; of
    a word with a wild card inside, its longest piece."""
    found: dict[str, None] = {}
    for entry in _entries(words):
        bare = entry.strip("*")
        if "*" in bare or "?" in bare:
            found[max(bare.replace("*", " ").replace("?", " ").split(" "), key=len)] = None
            continue
        found |= dict.fromkeys(bare.replace(" ", between) for between in (" ", "-", "_", ""))
    return tuple(found)


def _entries(words: Iterable[str]) -> list[str]:
    return [entry.strip() for line in words for entry in line.split(",") if entry.strip()]
