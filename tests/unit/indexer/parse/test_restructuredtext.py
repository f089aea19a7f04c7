from pathlib import Path

import pytest

from domain.documents import BlockKind
from tests.unit.indexer.parse.parsing import lines_of, of_kind, parsed, paths, refusal, texts, words

SAMPLE = """\
:orphan:

==============
Deploy guide
==============

:Author: Jane Doe
:Date: 2024-01-15

Intro about |product|, see :ref:`the plan <plan>`, :py:func:`~kb.main` and
`a link <https://example.com>`_ [1]_.

.. |product| replace:: The Product

.. _anchor:

Install
-------

1. Download
2. Unpack

   - quickly
   - carefully

.. code-block:: python

   x = 1

   y = 2

.. note:: Take care

   with this.

Deep
~~~~

+------+-------+
| Name | Value |
+======+=======+
| a    | 1     |
+      +-------+
|      | 2     |
+------+-------+

.. list-table:: Ports
   :header-rows: 1

   * - Port
     - Use
   * - 80
     - http

.. versionadded:: 3.2
   New thing.

.. py:function:: run(a, b)

   Runs it.

.. tabs::

   .. tab:: Linux

      Use apt.

.. prompt:: bash

   make all

.. raw:: html

   <p>raw words</p>

term
   meaning

-v  verbose
--all=NAME  everything

| line one
| line two

Literal::

   verbatim   text

>>> 1 + 1
2

.. image:: x.png
   :alt: diagram of parts

Nothing below
-------------

Last
----

the end

.. [1] Foot text.

.. comment with hidden words
"""


def test_every_visible_word_is_in_some_block() -> None:
    visible = """Deploy guide Jane Doe Intro about The Product see the plan kb main and a link Install Download Unpack
    quickly carefully x 1 y 2 Take care with this Deep Name Value Ports Port Use 80 http 3 New thing run b Runs it
    Linux apt make all raw words term meaning verbose everything line one two Literal verbatim text diagram of parts
    Nothing below Last the end Foot"""
    found = words(parsed(SAMPLE, "a.rst"))
    assert set(visible.split()) <= found
    assert not {"hidden", "orphan", "anchor", "replace"} & found


def test_lone_section_is_the_title_and_its_fields_are_metadata() -> None:
    file = parsed(SAMPLE, "a.rst")
    assert file.title == "Deploy guide"
    assert file.metadata == {"author": "Jane Doe", "updated": "2024-01-15T00:00:00+00:00"}
    assert {(), ("Install",), ("Install", "Deep"), ("Last",)} == set(paths(file))


def test_several_outermost_sections_are_headings() -> None:
    file = parsed("One\n===\na\n\nTwo\n===\nb\n", "a.rst")
    assert (file.title, paths(file)) == ("", [("One",), ("Two",)])


def test_lists_keep_markers_and_nesting() -> None:
    lists = [block.text for block in of_kind(parsed(SAMPLE, "a.rst"), BlockKind.LIST)]
    assert "1. Download\n2. Unpack\n  - quickly\n  - carefully" in lists
    assert "- term: meaning" in lists
    assert texts(parsed("c. x\nd. y\n", "a.rst")) == ["c. x\nd. y"]


def test_tables_repeat_spanning_cells_and_have_a_header() -> None:
    first, second = of_kind(parsed(SAMPLE, "a.rst"), BlockKind.TABLE)
    assert (first.header, first.text) == ("| Name | Value |", "| Name | Value |\n| a | 1 |\n| a | 2 |")
    assert (second.header, second.text) == ("| Port | Use |", "| Port | Use |\n| 80 | http |")


def test_code_is_verbatim() -> None:
    code = [block.text for block in of_kind(parsed(SAMPLE, "a.rst"), BlockKind.CODE)]
    assert code == ["x = 1\n\ny = 2", "make all", "verbatim   text", ">>> 1 + 1\n2"]


def test_unknown_directives_keep_argument_and_content() -> None:
    found = texts(parsed(SAMPLE, "a.rst"))
    assert {"Function: run(a, b)", "Runs it.", "Tab: Linux", "Use apt.", "Versionadded: 3.2", "New thing."} <= set(
        found
    )
    assert "Note: Take care\nwith this." in found


def test_spans_are_the_source_lines() -> None:
    file = parsed(SAMPLE, "a.rst")
    found = {block.text.split("\n")[0]: lines_of(SAMPLE, block) for block in file.blocks}
    assert found["1. Download"] == "1. Download\n2. Unpack\n\n   - quickly\n   - carefully"
    assert found["x = 1"] == "   x = 1\n\n   y = 2"
    assert found["| Name | Value |"].startswith("| Name | Value |")
    assert found["Runs it."] == "   Runs it."
    assert found["[1] Foot text."] == ".. [1] Foot text."
    assert found["the end"] == "the end"


def test_files_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("topsecret")
    source = f"""\
start

.. include:: {secret}

.. literalinclude:: {secret}

.. raw:: html
   :file: {secret}

.. csv-table:: t
   :file: {secret}

.. figure:: {secret}
   :figwidth: image

end
"""
    found = words(parsed(source, "a.rst"))
    assert {"start", "end"} <= found
    assert "topsecret" not in found


def test_what_is_broken_keeps_its_text_and_prints_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    source = """\
Title
==

broken `role and |undefined| and unknown_ reference

==== ====
a    b
==== ====
too long for it
==== ====

- item

     Odd heading
     ===========

.. image::

.. code:: nosuchlanguage

   still here
"""
    visible = """Title broken role and undefined unknown reference a b too long item Odd heading still here"""
    assert set(visible.split()) <= words(parsed(source, "a.rst"))
    assert capfd.readouterr() == ("", "")


def test_deep_nesting_is_refused() -> None:
    text = "".join(f"{'  ' * depth}- x\n\n" for depth in range(60))
    assert refusal(text, "a.rst", nesting=50) == "nested more than 50 levels deep"


def test_raw_role_is_not_carried_out() -> None:
    source = ".. role:: raw-html(raw)\n   :format: html\n\nA :raw-html:`<b>word</b>` here.\n"
    assert {"A", "here"} <= words(parsed(source, "a.rst"))
