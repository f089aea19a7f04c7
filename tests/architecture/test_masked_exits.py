"""What leaves is masked: nothing but domain.masking makes masked values, renderers take nothing else, and commands
write in one place."""

import ast

import pytest

from tests.architecture.checkout import PACKAGES, modules, tree

MADE_BY = {"MaskedAnswer": "domain/masked_answer.py", "MaskedText": "domain/masking/"}
"""Which module, or folder of modules, may construct what."""

OUTCOMES = {"Outcome", "Answer", "NotFound", "Declined", "Failed", "Citation", "Nearest", "Trace", "ToolCall"}

RENDERERS = {
    "bot/terminal/render.py": {"text_of", "json_of"},
    "bot/slack/render.py": {"footer", "messages", "plain_messages"},
    "bot/teams/render.py": {
        *("button_card", "follow_up_questions", "footer", "has_suggestions", "messages", "plain_messages"),
    },
    "bot/teams/citation_entity.py": {"answer_entity"},
    "bot/web/outcome_body.py": {"outcome_body"},
}
"""What of each renderer takes answers; everything else takes words of ours, or what is masked by its type."""

WRITERS = {
    "bot/terminal/output.py": "masks whatever it writes",
    "bot/terminal/progress.py": "a bar of rich's, with names that it masks",
    "bot/cli/mask.py": "writes what it has masked, byte by byte",
    "bot/app/logs.py": "masks the log and what nobody caught",
}

CALLS = {"click": {"echo", "secho", "confirm", "prompt", "progressbar"}, "pprint": {"pprint"}}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}


def test_masked_values_are_made_by_the_masker_alone() -> None:
    found = [
        f"{path}:{line} {name}"
        for path in modules(*PACKAGES, "benchmarks")
        for name, line in constructions(tree(path))
        if not path.startswith(MADE_BY[name])
    ]
    assert not found


def constructions(module: ast.Module) -> list[tuple[str, int]]:
    """The masked values that are made in a module, each with its line."""
    return [
        (name, node.lineno)
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        for name in MADE_BY
        if any(isinstance(part, ast.Name | ast.Attribute) and named(part) == name for part in (node.func, *node.args))
        and not (isinstance(node.func, ast.Name) and node.func.id == "isinstance")
    ]


def named(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


@pytest.mark.parametrize(
    "code",
    [
        "MaskedAnswer(outcome, None)",
        "shown.MaskedAnswer(outcome, None)",
        "object.__new__(MaskedAnswer)",
        "MaskedText('x')",
        "replace(MaskedText, text='x')",
    ],
)
def test_such_constructions_are_seen(code: str) -> None:
    assert constructions(ast.parse(code))


@pytest.mark.parametrize("code", ["isinstance(event, MaskedAnswer)", "def f(a: MaskedAnswer) -> None: ..."])
def test_others_are_not(code: str) -> None:
    assert not constructions(ast.parse(code))


@pytest.mark.parametrize("renderer", RENDERERS)
def test_renderers_take_masked_answers_alone(renderer: str) -> None:
    functions = public_functions(tree(renderer))
    assert {each.name for each in functions if "MaskedAnswer" in ast.unparse(each.args)} == RENDERERS[renderer]
    assert not [each.name for each in functions if unmasked(each)]


def test_commands_use_public_renderers_alone() -> None:
    found = [
        f"{path}:{node.lineno} {alias.name}"
        for path in modules("bot")
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and node.module == "bot.terminal.render"
        for alias in node.names
        if alias.name.startswith("_")
    ]
    assert not found


def public_functions(module: ast.Module) -> list[ast.FunctionDef]:
    return [each for each in module.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]


def unmasked(function: ast.FunctionDef) -> bool:
    """Whether a parameter takes an outcome, or a part of one, that need not be masked."""
    return any(
        isinstance(node, ast.Name) and node.id in OUTCOMES
        for argument in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        for node in ast.walk(argument.annotation or ast.Name("Outcome"))
    )


@pytest.mark.parametrize(
    "code",
    ["def f(outcome: Outcome) -> str: ...", "def f(*, all: Sequence[Citation]) -> str: ...", "def f(x) -> str: ..."],
)
def test_a_renderer_of_anything_else_is_seen(code: str) -> None:
    assert [unmasked(each) for each in public_functions(ast.parse(code))] == [True]


def test_commands_write_in_one_place() -> None:
    found = [f"{path}:{line}" for path in modules("bot") if path not in WRITERS for line in writings(tree(path))]
    assert not found, "bot.terminal.output masks what it writes"


@pytest.mark.parametrize("path", ["bot/terminal/output.py", "bot/cli/mask.py", "bot/app/logs.py"])
def test_that_place_is_seen_to_write(path: str) -> None:
    assert writings(tree(path))


def writings(module: ast.Module) -> list[int]:
    """The lines that write to standard output or standard error."""
    caught = {node.name for node in ast.walk(module) if isinstance(node, ast.ExceptHandler)}
    return [node.lineno for node in ast.walk(module) if isinstance(node, ast.Call) and writes(node, caught)]


def writes(call: ast.Call, caught: set[str | None]) -> bool:
    """caught: names of exceptions. Those of click write by their `show`, as nothing else does that has one."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "print"
    if not isinstance(function, ast.Attribute):
        return False
    of = ast.unparse(function.value)
    if function.attr in CALLS.get(of, ()):
        return True
    if function.attr in {"write", "writelines"}:
        return any(name in of.split(".") for name in STREAMS)
    if function.attr != "show" or any(keyword.arg == "file" for keyword in call.keywords):
        return False
    return of in caught or any(word in of.lower() for word in ("error", "exception"))


@pytest.mark.parametrize(
    "code",
    [
        "print('x')",
        "click.echo('x', err=True)",
        "click.confirm('x')",
        "sys.stdout.write('x')",
        "sys.stdout.buffer.write(b'x')",
        "sys.stderr.writelines(['x'])",
        "error.show()",
        "ClickException('x').show()",
    ],
)
def test_writing_is_seen(code: str) -> None:
    assert writings(ast.parse(code)) == [1]


def test_what_is_caught_is_seen_to_write_itself() -> None:
    assert writings(ast.parse("try: f()\nexcept ClickException as failed: failed.show()")) == [2]


@pytest.mark.parametrize(
    "code", ["say('x')", "file.write('x')", "error.show(file=buffer)", "reply.show(x)", "sys.stdout.flush()"]
)
def test_other_calls_are_not(code: str) -> None:
    assert writings(ast.parse(code)) == []
