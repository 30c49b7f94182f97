"""Filter chains for ffmpeg that several stages use. All options are named, as ffmpeg 7 changed positional ones."""


def distinct(width_px: int, height_px: int) -> str:
    """Returns filters that pass the first frame, and each frame that differs at all from the one before it.

    For gbrp and yuv420p. mpdecimate ignores the first eight columns of a plane, and rows and columns beyond its last
    multiple of four, so the picture is padded before it and cropped after it. In yuv420p, the colour planes have half
    the width and height.
    """
    return (
        "pad=width=ceil(iw/8)*8+16:height=ceil(ih/8)*8:x=16:y=0,mpdecimate=max=0:hi=0:lo=0:frac=0,"
        f"crop=w={width_px}:h={height_px}:x=16:y=0:exact=1"
    )
