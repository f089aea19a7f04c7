"""Texts as they are pasted by those who run systems and support people: with secrets, and without any."""

from tests.masking.case import Negative, Positive
from tests.masking.operations import (
    accounts,
    addresses_with_logins,
    addresses_with_tokens,
    cards,
    clean_code,
    clean_commands,
    clean_configuration,
    clean_data,
    clean_handbooks,
    clean_logs,
    clean_pages,
    clean_references,
    clean_runbooks,
    clean_sentences,
    clean_tickets,
    command_lines,
    command_lines_more,
    connections,
    evasions,
    headers,
    keys_and_values_code,
    keys_and_values_files,
    keys_and_values_manifests,
    national_ids,
    private_keys,
    prose_eastern,
    prose_germanic,
    prose_romance,
    telephones,
    vendors_chat,
    vendors_clouds,
    vendors_identity,
    vendors_monitoring,
    vendors_platform,
    vendors_registries,
    vendors_services,
    web_tokens,
)
from tests.masking.operations.cryptography import CRYPTO
from tests.masking.operations.evasion_values import EVADE
from tests.masking.operations.national_id_values import NATIONAL
from tests.masking.operations.numbers_of_persons import IDS
from tests.masking.operations.plain_values import VALUES
from tests.masking.operations.telephones import PHONES
from tests.masking.operations.template import Gen, Row, build, build_negatives
from tests.masking.operations.token_values import TOKENS

REGISTRY: dict[str, Gen] = {**TOKENS, **CRYPTO, **IDS, **NATIONAL, **PHONES, **EVADE, **VALUES}

TABLES: dict[str, tuple[Row, ...]] = {
    "vendor token": vendors_clouds.ROWS
    + vendors_platform.ROWS
    + vendors_registries.ROWS
    + vendors_chat.ROWS
    + vendors_services.ROWS
    + vendors_monitoring.ROWS
    + vendors_identity.ROWS,
    "jwt": web_tokens.JWT,
    "private key": private_keys.PRIVATE_KEY,
    "basic auth url": addresses_with_logins.BASIC_URL,
    "card": cards.CARD,
    "us ssn": cards.SSN,
    "connection string": connections.ROWS,
    "auth header": headers.ROWS,
    "key value": keys_and_values_files.ROWS + keys_and_values_code.ROWS + keys_and_values_manifests.ROWS,
    "url token": addresses_with_tokens.URL_TOKEN,
    "e-mail": accounts.EMAIL,
    "iban": accounts.IBAN,
    "command line": command_lines.ROWS + command_lines_more.ROWS,
    "telephone": telephones.ROWS,
    "national id": national_ids.ROWS,
    "prose password": prose_germanic.ROWS + prose_romance.ROWS + prose_eastern.ROWS,
    "evasion": evasions.ROWS,
}

NEGATIVE_ROWS = (
    clean_code.ROWS
    + clean_commands.ROWS
    + clean_configuration.ROWS
    + clean_logs.ROWS
    + clean_data.ROWS
    + clean_sentences.ROWS
    + clean_runbooks.ROWS
    + clean_references.ROWS
    + clean_tickets.ROWS
    + clean_pages.ROWS
    + clean_handbooks.ROWS
)


def positives(seed: int) -> list[Positive]:
    """All texts with secrets."""
    return [case for kind, rows in TABLES.items() for case in build(kind, rows, seed, REGISTRY)]


def negatives(seed: int) -> list[Negative]:
    """All texts without secrets."""
    return build_negatives(NEGATIVE_ROWS, seed, REGISTRY)
