"""Signs of Word documents that are places in a font instead of characters."""

_SYMBOL = {
    0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλµνοπθρστυϖωξψζ{|}∼",
    0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑",
}
"""Adobe's encoding of the font Symbol, without parts of large brackets, as its mapping to Unicode has it:
https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt"""
_WINGDINGS = dict(zip(bytes.fromhex("4a 4c 6e 6f a7 a8 df e0 e1 e2 f3 fb fc fd fe"), "☺☹■□▪□←→↑↓⇔✗✓☒☑", strict=True))
"""What Word puts for arrows and faces that are typed, and the boxes and marks of forms."""
_FONTS = {
    "symbol": {first + at: sign for first, signs in _SYMBOL.items() for at, sign in enumerate(signs)},
    "wingdings": _WINGDINGS,
}
UNKNOWN = "�"
"""A sign that is there, but not which one."""


def sign(font: str, code: str) -> str:
    """The character at `code`, a hexadecimal number, of a font; UNKNOWN where that is not known."""
    try:
        place = int(code, 16)
    except ValueError:
        return UNKNOWN
    table = _FONTS.get(font.strip().lower())
    if table is not None and (place < 0x100 or 0xF000 <= place < 0xF100):
        return table.get(place & 0xFF, UNKNOWN)
    is_character = 0x20 <= place < 0xD800 or 0xF900 <= place < 0x110000
    return chr(place) if is_character else UNKNOWN
