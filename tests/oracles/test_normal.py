"""What is taken out of messages, and what never is."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from wynot.oracles.normalise import clean_frame, normalise

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1)
IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True)
MESSY = st.lists(
    st.text(max_size=8)
    | st.sampled_from(
        ["'", '"', "`", "0x1f", "12.5", "/tmp/a", "a.c:3", "don't", "<num>", "<name>", "num", "\\", " ", "./", "5'x'"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("index 7 is out of range [0, 3)", "index <num> is out of range [<num>, <num>)"),
        ("READ of size 4 at 0x604000000038", "READ of size <num> at <addr>"),
        ("hash 7fef574a5291 of deadbeef", "hash <addr> of deadbeef"),
        ("/work/bug.c:7:47: error", "<path>:<num>:<num>: error"),
        ("src/selector.rs:478:5", "<path>:<num>:<num>"),
        ("cfgexpand.cc:4006", "<path>:<num>"),
        ("see ../log/x.txt and ~/notes and C:\\Temp\\x.o", "see <path> and <path> and <path>"),
        ("cannot open tmpk3_x9a2b: gone", "cannot open <path>: gone"),
        ("ccAb12Xy.o: file not recognized", "<path>: file not recognized"),
        ("name 'walk' is not defined", "name <text> is not defined"),
        ('key "a \\"b\\" c" and `d\' and `e`', "key <text> and <text> and <text>"),
        ("can't do this, don't do that", "can't do this, don't do that"),
        ("'it's' here", "<text> here"),
        ("used: 479Mb; limit: 300Mb", "used: <num>Mb; limit: <num>Mb"),
        ("type i32 of x86_64 and/or f64", "type i32 of x86_64 and/or f64"),
        ("std::vector<int>::at: bad a->b <= c", "std::vector<int>::at: bad a->b <= c"),
    ],
)
def test_what_is_taken_out(said: str, left: str) -> None:
    assert normalise(said) == left


def test_the_words_of_the_input_are_taken_out() -> None:
    vocabulary = frozenset({"walk", "Node", "num", "name"})
    assert normalise("walk(Node) of walker: 3 num", vocabulary) == "<name>(<name>) of walker: <num> <name>"


@given(MESSY, st.frozensets(WORDS | IDENTIFIERS | st.sampled_from(["num", "name", "path"])))
@example("5'x'", frozenset())
@example("<num>", frozenset({"num"}))
def test_normalising_again_changes_nothing(text: str, vocabulary: frozenset[str]) -> None:
    once = normalise(text, vocabulary)
    assert normalise(once, vocabulary) == once


@given(st.lists(WORDS).map(" ".join), st.frozensets(WORDS))
def test_plain_words_are_kept(text: str, vocabulary: frozenset[str]) -> None:
    assert normalise(text, vocabulary - set(text.split())) == text


@given(MESSY)
def test_a_text_without_any_of_those_is_kept(text: str) -> None:
    """Nothing that could begin an address, a number, a path, a quotation or a temporary name."""
    bare = "".join(each for each in text if not each.isdigit() and each not in "\"'`\\/~.:\u2018")
    assume("tmp" not in bare)
    assert normalise(bare) == bare


@given(st.integers(), st.integers(0), st.text("abcxyz/", min_size=1))
def test_the_numbers_and_names_of_a_run_do_not_tell(number: int, address: int, name: str) -> None:
    one = f"{number} at {address:#x} in '{name}' of /tmp/{name.strip('/')}x"
    assert normalise(one) == normalise("1 at 0x0 in 'y' of /tmp/z").replace(
        "<num>", "-<num>" if number < 0 else "<num>", 1
    )


# --- frames: cleaned up, never merged

QUALIFIED = st.lists(IDENTIFIERS, min_size=1, max_size=4).map("::".join)
TYPES = st.recursive(
    QUALIFIED,
    lambda inner: st.builds("{}<{}>".format, QUALIFIED, st.lists(inner, min_size=1, max_size=3).map(", ".join)),
    max_leaves=8,
)
ARGUMENTS = st.lists(TYPES | TYPES.map("{} const*".format), max_size=3).map(", ".join)


@given(QUALIFIED, QUALIFIED)
def test_different_functions_stay_different(one: str, other: str) -> None:
    assert (clean_frame(one) == clean_frame(other)) == (one == other)
    assert clean_frame(one) == one


@given(QUALIFIED, TYPES, TYPES)
def test_different_instances_stay_different(function: str, one: str, other: str) -> None:
    """Also where template arguments are too long to be kept."""
    cleaned = [clean_frame(f"{function}<{types}>::run") for types in (one, other)]
    assert (cleaned[0] == cleaned[1]) == (one == other)
    assert all(len(name) < len(function) + 60 for name in cleaned)


@given(TYPES, QUALIFIED, ARGUMENTS, st.sampled_from(["", " const", " const &", " &&", " noexcept"]))
def test_arguments_and_return_types_are_left_out(returned: str, function: str, arguments: str, qualifier: str) -> None:
    assert clean_frame(f"{returned} {function}({arguments}){qualifier}") == function


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("main", "main"),
        ("operator new(unsigned long)", "operator new"),
        ("shop::Till::operator[](int) const", "shop::Till::operator[]"),
        ("bool shop::operator< <int>(shop::Till<int> const&, int)", "shop::operator< <int>"),
        ("std::ostream& operator<<(std::ostream&, char)", "operator<<"),
        ("smt2::parser::operator()()", "smt2::parser::operator()"),
        ("shop::Till::operator bool() const", "shop::Till::operator bool"),
        ("shop::(anonymous namespace)::walk(int)", "shop::(anonymous namespace)::walk"),
        ("fuzzer::FuzzerDriver(int*, char***, int (*)(unsigned char const*, unsigned long))", "fuzzer::FuzzerDriver"),
        ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
        ("T shop::Till<T>::last() const [with T = int]", "shop::Till<T>::last"),
        ("f(int", "f"),
        ("<T as core::fmt::Display>::fmt", "<T as core::fmt::Display>::fmt"),
        ("", ""),
    ],
)
def test_names_as_programs_print_them(printed: str, name: str) -> None:
    assert clean_frame(printed) == name
