from bot.app.languages_in_use import NEXT_STEP, unknown_languages

ENGLISH = ["The backup is kept for 35 days.", "Who approves the invoice?"]
OTHERS = ["Wer genehmigt die Rechnung?", "Кто утверждает счёт?", "谁批准发票?"]


def test_what_the_model_does_not_know_is_told_with_its_share() -> None:
    told = unknown_languages([*ENGLISH * 9, *OTHERS[:2]], OTHERS[2:] * 2, ["English", "German"])
    assert told == (
        "the model for embeddings does not know others (5 %) of 20 chunks looked at; and Chinese (100 %) of"
        f" 2 questions asked lately: those are found by their words alone. {NEXT_STEP}"
    )


def test_a_language_that_few_texts_look_like_is_not_named() -> None:
    told = unknown_languages([*ENGLISH * 10, OTHERS[2]], [], ["English"])
    assert told == "the model for embeddings knows what the index and the last questions are written in"


def test_nothing_is_wrong_where_the_model_knows_all_or_nothing_was_asked() -> None:
    known = "the model for embeddings knows what the index and the last questions are written in"
    assert unknown_languages(ENGLISH, [], ["English"]) == known
    assert unknown_languages([*ENGLISH, OTHERS[0]], OTHERS[2:], ["English", "German", "Chinese"]) == known
