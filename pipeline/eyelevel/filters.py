"""Chains of ffmpeg's filters that more than one stage needs. Every option is named: ffmpeg 7 moved positional ones."""


def distinct(width_px: int, height_px: int) -> str:
    """Lets pass the first frame and each that differs from the one before it, exactly; takes and gives gbrp.

    mpdecimate never looks at the first eight columns, nor at rows and columns beyond the last multiple of four; so the
    picture is padded for it, and cropped after it.
    """
    return (
        "pad=width=ceil(iw/4)*4+16:height=ceil(ih/4)*4:x=16:y=0,mpdecimate=max=0:hi=0:lo=0:frac=0,"
        f"crop=w={width_px}:h={height_px}:x=16:y=0:exact=1"
    )
