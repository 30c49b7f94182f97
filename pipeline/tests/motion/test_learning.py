"""Learning a mask from probe loads: what moves for ever is masked, what loads, however slowly, never is."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from eyelevel.motion.learning import Load, in_most, learn, settled_ms
from eyelevel.motion.requests import Request, is_regular, key_of, not_painting, of_responses
from eyelevel.video import Frame
from eyelevel_core.contracts import check
from eyelevel_core.model.device import Viewport
from eyelevel_core.model.mask import Mask, NotPainting, ProbeLoad
from tests.loads.seen import response

VIEWPORT = Viewport(320, 176)
LOAD_MS, WATCHED_FROM_MS, END_MS = 800.0, 1_300.0, 31_300.0
BOX = (slice(32, 96), slice(64, 192))

# (ms since load, the picture so far) -> nothing; paints into the picture
Paint = Callable[[float, Frame], None]


def photo(number: int, size: tuple[int, int] = (64, 128)) -> Frame:
    return np.random.default_rng(number).integers(0, 250, (*size, 3), dtype=np.uint8)


def film(paint: Paint | None, times_ms: Sequence[float]) -> Iterator[tuple[float, Frame]]:
    """A page that is white, then has a heading, then is painted at these times since load."""
    picture = np.full((VIEWPORT.height_px, VIEWPORT.width_px, 3), 255, np.uint8)
    yield -100.0, picture.copy()
    picture[:16] = (20, 40, 60)
    yield 300.0, picture.copy()
    if paint is None:
        return
    for ms in times_ms:
        paint(ms, picture)
        yield LOAD_MS + ms, picture.copy()


def load(paint: Paint | None, times_ms: Sequence[float], requests: Sequence[Request] = ()) -> Load:
    probe_load = ProbeLoad(
        stack="TCP+", page_seed=1, load_ms=LOAD_MS, watched_from_ms=WATCHED_FROM_MS, end_ms=END_MS, moving_tiles=0
    )
    return Load(probe_load, lambda: film(paint, times_ms), requests)


def learned(*loads: Load) -> Mask:
    mask = learn("ab" * 32, VIEWPORT, loads, start_url="https://garden.example/")
    check(mask.as_json(), "mask.1", source="mask")
    return mask


def every(step_ms: float, until_ms: float = 30_400.0, from_ms: float = 0.0) -> list[float]:
    return [float(ms) for ms in np.arange(from_ms, until_ms, step_ms)]


def carousel(ms: float, picture: Frame) -> None:
    picture[BOX] = photo(int(ms // 4_000) % 3)


def test_a_carousel_is_masked_with_a_ring_of_one_tile() -> None:
    mask = learned(*[load(carousel, every(4_000))] * 5)
    assert mask.rows[0] == "." * 20
    assert set(mask.rows[1:7]) == {"..." + "#" * 10 + "." * 7}
    assert set(mask.rows[7:]) == {"." * 20}
    [region] = mask.regions
    assert (region.tiles, region.box, region.low_ms) == (60, (48, 16, 160, 96), 0.0)
    assert region.entropy_bits == pytest.approx(5.04, abs=0.05)  # half photograph, half white
    assert (mask.masked_share, mask.animated, mask.timed) == (0.272727, True, ())
    assert [probed.moving_tiles for probed in mask.loads] == [32] * 5


def test_what_moves_in_three_of_five_loads_is_not_masked_in_four_it_is() -> None:
    moves, rests = load(carousel, every(4_000)), load(carousel, [0.0])
    assert learned(moves, moves, moves, rests, rests).still
    assert not learned(moves, moves, moves, moves, rests).still
    assert in_most([frozenset({(1, 1)})] * 4) == {(1, 1)}


def test_the_pauses_of_a_carousel_that_fades_are_learned() -> None:
    def fading(ms: float, picture: Frame) -> None:
        picture[BOX] = 255 if ms % 4_000 else photo(int(ms // 4_000))

    times = sorted([*every(4_000), *every(4_000, from_ms=3_600)])
    [region] = learned(*[load(fading, times)] * 5).regions
    assert region.low_ms == 400


def shimmer(ms: float, picture: Frame) -> None:
    """A skeleton whose gleam moves, until the content comes after 6 s."""
    picture[BOX] = 225
    picture[32:96, 64 + int(ms / 10) % 112 :][:, :16] = 240
    if ms >= 6_000:
        picture[BOX] = photo(1)


def spinner(ms: float, picture: Frame) -> None:
    picture[48:64, 112:128] = 255
    if ms < 8_000:
        picture[48:64, 112 + int(ms / 50) % 16] = 0


def feed(ms: float, picture: Frame) -> None:
    """A feed that gets an entry on top each second for 20 s, so that all of it moves down."""
    number = int(ms // 1_000)
    for row in range(number, max(-1, number - 8), -1):
        top = 32 + 16 * (number - row)
        picture[top : top + 16, 64:256] = photo(row, (16, 192))


def progressive(ms: float, picture: Frame) -> None:
    blocks = max(1, 32 // 2 ** int(ms // 500))
    coarse = photo(3)[::blocks, ::blocks]
    picture[BOX] = np.repeat(np.repeat(coarse, blocks, axis=0), blocks, axis=1)[:64, :128]


def hero(_: float, picture: Frame) -> None:
    picture[16:160] = photo(5, (144, 320))


def banner(_: float, picture: Frame) -> None:
    picture[16:] = np.roll(picture[16:], 32, axis=0)
    picture[16:48] = photo(6, (32, 320))


def font_swap(ms: float, picture: Frame) -> None:
    for line in range(32, 96, 16):
        picture[line : line + (10 if ms else 8), 16:200] = 40


@pytest.mark.parametrize(
    ("paint", "times_ms"),
    [
        (progressive, every(500, 3_000)),
        (shimmer, every(50, 6_050)),
        (spinner, every(50, 8_050)),
        (feed, every(1_000, 20_001)),
        (hero, [12_000.0]),
        (banner, [9_000.0]),
        (font_swap, [0.0, 2_500.0]),
    ],
)
def test_what_loads_is_never_masked(paint: Paint, times_ms: list[float]) -> None:
    mask = learned(*[load(paint, times_ms)] * 5)
    assert (mask.still, mask.masked_share, mask.animated) == (True, 0.0, False)


def test_a_change_by_the_pages_own_timer_after_it_has_settled_is_listed() -> None:
    mask = learned(*[load(banner, [9_000.0])] * 4, load(banner, [9_400.0]))
    [change] = mask.timed
    assert (change.after_load_ms, change.loads) == (9_000, 5)
    assert change.box == (0, 16, 320, 32)
    assert learned(*[load(banner, [2_500.0])] * 5).timed == ()


def test_what_a_request_paints_late_is_no_timer() -> None:
    fetching = [Request("ads.example/bid", 900.0, 9_700.0)]
    assert learned(*[load(banner, [9_000.0], fetching)] * 5).timed == ()


def test_a_load_settles_after_3_s_without_change_and_painting_request() -> None:
    assert settled_ms(None, [], []) is None
    assert settled_ms(800, [300], []) == 3_800
    assert settled_ms(800, [300, 3_700, 6_600, 9_700], []) == 9_600
    assert (
        settled_ms(800, [], [Request("a", 700, 5_000), Request("b", 7_900, 8_000), Request("c", 12_000, None)])
        == 11_000
    )


def test_a_key_is_host_and_path() -> None:
    assert key_of("https://ads.example/bid?slot=1#top") == "ads.example/bid"


@pytest.mark.parametrize(
    ("asked_ms", "expected"),
    [
        ((1_000, 3_000, 5_100, 6_900), True),
        ((1_000, 3_000), False),
        ((1_000, 2_000, 9_000), False),
        ((1_000, 1_010, 1_020), False),  # three pictures of one path, asked for at once
    ],
)
def test_a_poll_is_asked_often_and_at_even_intervals(asked_ms: tuple[float, ...], expected: bool) -> None:
    assert is_regular(asked_ms) == expected


def test_requests_that_a_viewer_cannot_see_end_are_learned() -> None:
    poll = [Request("a.example/poll", begun, begun + 50) for begun in (1_000.0, 3_000.0, 5_000.0, 7_000.0)]
    picture, beacon = Request("a.example/late.jpg", 4_000, 4_300), Request("a.example/beacon", 5_500, 5_600)
    requests = [*poll, picture, beacon]
    painted = [1_040.0, 4_800.0, 6_101.0]
    assert not_painting([requests] * 5, [painted] * 5) == (
        NotPainting("a.example/beacon", "paints nothing"),
        NotPainting("a.example/poll", "regular"),
    )
    # one load in which something followed is enough to wait for it
    assert [request.key for request in not_painting([requests] * 5, [sorted([*painted, 6_100.0])] + [painted] * 4)] == [
        "a.example/poll"
    ]


def test_a_request_is_learned_only_if_most_loads_asked_it() -> None:
    beacon = [Request("a.example/beacon", 5_500, 5_600)]
    assert [request.key for request in not_painting([beacon] * 4 + [[]], [[]] * 5)] == ["a.example/beacon"]
    assert not_painting([beacon] * 3 + [[]] * 2, [[]] * 5) == ()


def test_the_request_that_fills_a_carousel_for_the_first_time_paints_and_one_for_a_later_slide_does_not() -> None:
    """Nothing outside the carousel changes with either."""
    first, later = Request("a.example/first.jpg", 800, 1_990), Request("a.example/later.jpg", 7_000, 7_950)

    def slides(ms: float, picture: Frame) -> None:
        picture[BOX] = 225 if ms < 1_200 else photo(int((ms - 1_200) // 4_000) % 3)

    times_ms = [0.0, *every(4_000, from_ms=1_200)]
    mask = learned(*[load(slides, times_ms, [first, later])] * 5)
    assert len(mask.regions) == 1
    assert mask.not_painting == (NotPainting("a.example/later.jpg", "paints nothing"),)


def test_requests_of_types_that_never_paint_are_left_out() -> None:
    responses = [
        response("https://a.example/x?1", resource_type="fetch", begun_ms=5.0, ended_ms=9.0),
        response("https://a.example/film", resource_type="media", begun_ms=5.0, ended_ms=None),
        response("https://a.example/y", resource_type="image", begun_ms=7.0, ended_ms=None),
    ]
    assert of_responses(responses, {"media", "ping"}) == [
        Request("a.example/x", 5.0, 9.0),
        Request("a.example/y", 7.0, None),
    ]
