"""The markers of ordered lists."""

_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl")),
    *((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
LARGEST_ROMAN = 3_999


def numeral(number: int, style: str) -> str:
    """`number` in a style as docutils and Word name them: `loweralpha`, `upperLetter`, `lowerRoman`; else in digits."""
    style = style.lower()
    text = str(number)
    if style.endswith(("alpha", "letter")) and number > 0:
        text = chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 9)
    elif style.endswith("roman") and 0 < number <= LARGEST_ROMAN:
        text = ""
        for value, letters in _ROMAN:
            text += letters * (number // value)
            number %= value
    return text.upper() if style.startswith("upper") else text
