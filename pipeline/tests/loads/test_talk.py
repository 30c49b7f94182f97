"""How far the preparation of several pages is."""

from eyelevel.loads.talk import Pace, Talk
from tests.capture.test_masks import mask


def test_the_time_left_is_by_the_pages_before() -> None:
    pace = Pace(4, begun_s=100.0)
    endings = [pace.ended(now_s) for now_s in (160.0, 180.0, 400.0, 500.0)]
    assert endings == [" (1/4, about 3 min left)", " (2/4, about 80 s left)", " (3/4, about 2 min left)", " (4/4)"]


def test_of_a_page_alone_nothing_is_said() -> None:
    assert Pace(1, begun_s=0.0).ended(10.0) == ""


def test_the_bar_of_a_page_whose_mask_is_learned_is_full() -> None:
    talk = Talk()
    talk.step("garden", "learning", 48, 52)
    talk.result("garden", mask())
    [task] = talk._bar.tasks
    assert (task.finished, task.fields["step"]) == (True, "done")
