from agent.providers.english_words import EnglishWords


def test_common_words_are_known_and_slips_names_and_parts_of_words_are_not() -> None:
    words = EnglishWords()
    assert all(word in words for word in ("print", "lunch", "launch", "receipt", "quit", "rent"))
    assert not any(word in words for word in ("policey", "recieve", "daly", "Lunch", "##ing", "[CLS]", "24", ""))
