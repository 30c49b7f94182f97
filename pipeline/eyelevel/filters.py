"""Chains of ffmpeg's filters that more than one stage needs. Every option is named: ffmpeg 7 moved positional ones."""


def distinct(width_px: int, height_px: int) -> str:
    """Lets pass the first frame and each that differs from the one before it, exactly; for gbrp and yuv420p.

    mpdecimate never looks at the first eight columns of a plane, nor at rows and columns beyond its last multiple of
    four; so the picture is padded for it, and cropped after it. Of yuv420p, a plane of colours is half as wide and
    high.
    """
    return (
        "pad=width=ceil(iw/8)*8+16:height=ceil(ih/8)*8:x=16:y=0,mpdecimate=max=0:hi=0:lo=0:frac=0,"
        f"crop=w={width_px}:h={height_px}:x=16:y=0:exact=1"
    )
