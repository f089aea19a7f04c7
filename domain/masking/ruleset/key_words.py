"""The words that name a secret in configuration, code and tables: parts of keys, in RE2's syntax."""

from domain.masking.ruleset.secret_strength import words
from domain.patterns import LinearRegex

PASSWORD_WORDS = (
    r"pass(?:word|wort|wrd|wd|phrase|code|w|key)?s?|pw|pwd|pword|pswd|kennwort|passwor(?:d|t)|pincode|pin|"
    r"mot[ _-]?de[ _-]?passe|mdp|contrase(?:ñ|n|ny)a|clave|senha|palavra[ _-]?passe|wachtwoord|has(?:ł|l)o|пароль|şifre|sifre|parola|"
    r"密码|密碼|口令|パスワード|暗証番号|비밀번호|패스워드|암호|requirepass|masterauth|bindpw|rootpw|userpassword|unicodepwd|cpassword|psk|pre[ _-]?shared[ _-]?key"
)
TOKEN_WORDS = (
    r"secret|token|jwt|psk|otp[ _-]?seed|totp|seed[ _-]?phrase|mnemonic|salt|pepper|credentials?|creds|webhook(?:[ _-]?url)?|"
    r"api[ _-]?key|(?:access|private|secret|auth|encryption|signing|master|account|shared|shared[ _-]?access|session|licen[sc]e|storage|app|application|deploy|integration|ingest(?:ion)?|"
    r"service|connection|crypt|crypto|hmac|cookie|jwt|recovery|primary|secondary|admin|user|host|function|functions|system|subscription|write|read|publish|instrumentation|consumer|client|root|aes|rsa|data|kms|wep|wpa|wifi|wlan|server|tunnel|preshared|pre[ _-]?shared|unseal|backup)[ _-]?key|"
    r"security[ _-]?answer|auth[ _-]?code|activation[ _-]?code|backup[ _-]?code|recovery[ _-]?code|access[ _-]?code|verification[ _-]?code"
)

PASSWORD = LinearRegex(rf"(?i:{PASSWORD_WORDS})")

HEADING = LinearRegex(
    rf"(?i)(?:[\w ]{{0,20}}[ _-])?(?:{PASSWORD_WORDS}|{TOKEN_WORDS})(?:[ _-](?:initial|temp\w*|neu|new|value))?(?: \(.{{0,20}}\))?"
)

PASSWORDS_AT_HAND = words(
    "pass pw pin kennwort passe mdp contrase clave senha wachtwoord hasł hasl пароль şifre sifre parola 密码 密碼 口令 "
    "パスワード 暗証番号 비밀번호 패스워드 암호 masterauth cpassword unicodepwd"
)
TOKENS_AT_HAND = words("secret token jwt psk otp seed mnemonic salt pepper cred dsn connection webhook key code answer")
"""For the prefilter."""

QUOTE = r"(?:\\{0,3}[\"'`])"
_QUOTED = r"[bruf@$]{0,2}(?:\\{0,3}\"((?:[^\"\\\n]|\\[^\"\n])+)\\{0,3}\"|\\{0,3}'((?:[^'\\\n]|\\[^'\n])+)\\{0,3}'|`([^`\n]+)`)"
_BARE = r"[^\s\"'`<>|,;]"
VALUE = rf"(?:{_QUOTED}|({_BARE}{_BARE}+))"
"""What a key is given: in quotes of three kinds, or bare; four groups."""

_PART = r"[^\s\"'`<>|,;&]"
_PARAMETER = rf"(?:&(?:[\w.-]+(?:[^\s\"'`<>|,;&=\w.-]{_PART}*)?|[^\s\"'`<>|,;&\w.-]{_PART}*)?)"
VALUE_OR_PARAMETER = rf"(?:{_QUOTED}|({_BARE}(?:{_PART}+{_PARAMETER}*|{_PARAMETER}+)))"
"""The same, where a bare one ends before the equals sign of the next parameter of a URL at the latest: one that went on
to the end of the text would be read again for each key in it."""
