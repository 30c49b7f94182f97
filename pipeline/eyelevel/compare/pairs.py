"""Selection of the pairs of stacks to compare."""

from collections.abc import Iterable, Sequence

from eyelevel.compare.model import Pair
from eyelevel.errors import BadInputError
from eyelevel_core.model.campaign import Campaign

# in the order of the 2019 slides, and one pair whose gain is only in the paper
QUESTIONS_2019 = (
    Pair("TCP+", "TCP"),
    Pair("QUIC", "TCP"),
    Pair("QUIC", "TCP+"),
    Pair("TCP+BBR", "TCP+"),
    Pair("QUIC", "TCP+BBR"),
    Pair("QUIC+BBR", "TCP+BBR"),
    Pair("QUIC+BBR", "QUIC"),
    Pair("TCP+BBR", "TCP"),
)


def choose_pairs(asked: Sequence[str], campaign: Campaign, stacks: Iterable[str]) -> list[Pair]:
    """Returns the pairs that the user asked for, else those of 2019 and of the campaign whose stacks have takes."""
    present = set(stacks)
    if asked:
        return parse_pairs(asked, present)
    pairs = [pair for pair in QUESTIONS_2019 if {pair.new, pair.reference} <= present]
    for reference, new in campaign.pairs:
        known = any({pair.new, pair.reference} == {new, reference} for pair in pairs)
        if not known and {new, reference} <= present:
            pairs.append(Pair(new, reference))
    if not pairs:
        raise BadInputError(
            f"The takes of {', '.join(sorted(present))} contain no pair that is compared by default; "
            "give one with --pair NEW/REFERENCE."
        )
    return pairs


def parse_pairs(asked: Sequence[str], stacks: set[str]) -> list[Pair]:
    """Parses pairs, each once; raises BadInputError for a pair whose stacks are not both in the takes."""
    return [_parse(text, stacks) for text in dict.fromkeys(asked)]


def _parse(text: str, stacks: set[str]) -> Pair:
    new, slash, reference = text.partition("/")
    if not slash or not new or not reference or new == reference:
        raise BadInputError(f"--pair is {text!r}, but must be NEW/REFERENCE, such as QUIC/TCP+.")
    for stack in (new, reference):
        if stack not in stacks:
            raise BadInputError(f"--pair {text}: there is no take of {stack}, only of {', '.join(sorted(stacks))}.")
    return Pair(new, reference)


def reference_of(stacks: Iterable[str]) -> str:
    """Returns the stack that all others are drawn against: stock TCP as in figure 3 of 2019, else the simplest."""
    present = set(stacks)
    for name in ("TCP", "TCP+", "TCP+BBR"):
        if name in present:
            return name
    return min(present)
