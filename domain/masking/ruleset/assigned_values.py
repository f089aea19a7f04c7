"""Whether a value is a secret, given the key that it belongs to."""

import re

from domain.masking.ruleset.secret_strength import (
    GOOD,
    WEAK,
    WORD,
    is_benign,
    is_code,
    is_mixed,
    is_placeholder,
    is_random,
    strength,
    words,
)
from domain.patterns import LinearRegex


def wanted(key: str, held: str, *, password: bool, quoted: bool, strict: bool = False, tight: bool = False) -> bool:
    """Whether what a key is given is a secret. strict: in running text, where words follow that are none.
    tight: whether an equals sign without blanks stands between."""
    if is_placeholder(held):
        return False
    if quoted and is_random(held):
        return True
    stem = _EXTENSION.sub("", held) if password and tight else held
    if password and _WORD_AND_NUMBER.fullmatch(stem) and not is_benign(stem):
        return True
    phrase = password and (shouted(key) or tight) and _WORDS.fullmatch(held.rstrip("=:!?")) is not None
    if phrase or (is_code(held) and not (quoted and strength_of_code(held))):
        return phrase
    if password:
        return _password(key, held, quoted=quoted, strict=strict)
    found = strength(held)
    long = found >= WEAK and ((quoted and len(held) >= 8) or (len(held) >= 16 and held.isalnum() and is_mixed(held)))
    return " " not in held and (is_random(held) or found >= GOOD or long)


_EXTENSION = LinearRegex(r"\.[a-z0-9]{2,5}$")
_WORD_AND_NUMBER = re.compile(r"[^\W\d_]{3,}(?:[./_-][^\W\d_]{3,})?[./_-]?\d{2,8}[!?#*\w]{0,2}")
"""What people choose most: `Blue.Horse42`, `Herbst/2024`."""


def _password(key: str, held: str, *, quoted: bool, strict: bool) -> bool:
    if " " in held:
        return quoted and passphrase(held)
    if held.isdigit():
        return 4 <= len(held) <= 12 and (quoted or strength(held) >= WEAK)
    found = strength(held)
    return found >= WEAK or (found == WORD and not strict and plain_word(key, held, quoted=quoted))


_WORDS = LinearRegex(r"[a-z]{3,}(?:[.-][a-z]{3,}){2,}\d{0,4}")
"""Several words as a passphrase."""


def shouted(key: str) -> bool:
    """Whether a key is written as variables of an environment are."""
    return key.upper() == key and "_" in key


_OTHER_SIGN = LinearRegex(r"[^\w.:/\\ =()-]")


def strength_of_code(held: str) -> bool:
    """Whether a quoted value that could be code is a password all the same: it has digits and other signs."""
    return (
        any(char.isdecimal() for char in held)
        and _OTHER_SIGN.search(held) is not None
        and "(" not in held
        and " " not in held
    )


_COMMON = frozenset(
    words(
        "password passwords secret secrets token tokens string value default required optional username usernames "
        "login hidden input label field column number numeric integer boolean object plaintext encrypted hashed "
        "masked expired disabled enabled invalid incorrect missing unknown forgotten prompt stored manual "
        "automatic authentication credential credentials vault keychain keyring bitwarden lastpass onepassword "
        "keepass method reset change update forgot confirm confirmation verify rotate expires generate generated "
        "random length policy strength admin administrator public private internal external standard changed "
        "deleted created updated unchanged secure insecure strong simple together according accepted allowed "
        "rejected denied failed success successful"
    )
)


def plain_word(key: str, held: str, *, quoted: bool) -> bool:
    """Whether a word without digits is a password by where it stands: of a variable's or an option's, or in quotes."""
    if held.lower() in _COMMON or len(held) < 6:
        return False
    return shouted(key) or (quoted and "_" in key)


_FUNCTION_WORDS = frozenset(
    words(
        "the a an your you is are was must be been not no to of in on for from with this that it please enter must "
        "should can cannot may will and or if when has have der die das ein eine ihr ist sind nicht zu in auf für "
        "mit bitte le la les un une votre est pas de du pour avec el los su no es para con por o seu sua não é com "
        "il lo gli suo non per wrong invalid incorrect missing required expired password passwords username "
        "character characters"
    )
)


_PLAIN_WORD = LinearRegex(r"[\w'.,!?-]+")


def passphrase(held: str) -> bool:
    """Whether several words in quotes are a passphrase: three to eight, none of those that sentences need."""
    words = held.split()
    if (
        not 2 <= len(words) <= 8
        or not all(_PLAIN_WORD.fullmatch(word) for word in words)
        or any(word.lower().strip(".,!?:") in _FUNCTION_WORDS for word in words)
    ):
        return False
    return (len(words) >= 3 and all(word.isalpha() or (word.isdigit() and len(word) <= 4) for word in words)) or any(
        strength(word) >= WEAK for word in words
    )
