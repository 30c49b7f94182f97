"""Checks the video of a clip: one complete H.264 stream as declared, and no metadata that names what it shows.

`eyelevel push` applies them before it sends anything, and the platform applies them again.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from eyelevel_core.model.batch import Clip, Manifest

# tags that encoders write by themselves; any other could reveal to a participant what they see
HARMLESS_TAGS = {
    "major_brand",
    "minor_version",
    "compatible_brands",
    "encoder",
    "language",
    "handler_name",
    "vendor_id",
    "creation_time",
}


def fault(probed: Mapping[str, Any], clip: Clip, *, names: Iterable[str]) -> str | None:
    """Returns why the video is not the clip that the manifest declares, as the end of a sentence; None if it is.

    `probed` is what ffprobe reports. `names` are those of sites, networks and stacks, which the video must not contain.
    """
    if "error" in probed:
        return str(probed["error"])
    streams = probed["streams"]
    if len(streams) != 1 or streams[0].get("codec_type") != "video":
        kinds = ", ".join(str(stream.get("codec_type")) for stream in streams) or "none"
        return f"its streams are {kinds}, but must be one video stream and nothing else"
    return _picture_fault(streams[0], clip) or _frames_fault(probed, clip) or _revealing_tag(probed, names)


def revealing_names(manifest: Manifest) -> list[str]:
    """Returns the names that would reveal to a participant what a clip shows."""
    definitions = (*manifest.networks, *manifest.stacks)
    return [site.name for site in manifest.sites] + [definition.name for definition in definitions]


def _picture_fault(video: Mapping[str, Any], clip: Clip) -> str | None:
    if video.get("codec_name") != "h264":
        return f"its codec is {video.get('codec_name')}, but must be h264"
    size = (video.get("width"), video.get("height"))
    if size != (clip.width_px, clip.height_px):
        return f"it is {size[0]}x{size[1]}, but the manifest says {clip.width_px}x{clip.height_px}"
    return None


def _frames_fault(probed: Mapping[str, Any], clip: Clip) -> str | None:
    video = probed["streams"][0]
    listed, decoded = int(video.get("nb_frames") or 0), int(video.get("nb_read_frames") or 0)
    if decoded < listed:
        return f"only {decoded} of its {listed} frames can be decoded, so it is cut short or damaged"
    duration_ms = float(video.get("duration") or probed["format"].get("duration") or 0) * 1000
    # half a millisecond for the rounding of decimal numbers
    if abs(duration_ms - clip.duration_ms) > 1000 / clip.frame_rate + 0.5:
        return f"it lasts {duration_ms:.0f} ms, but the manifest says {clip.duration_ms:.0f} ms"
    frames = clip.duration_ms * clip.frame_rate / 1000
    # as for the duration: one frame, and half of one for rounding
    if abs(decoded - frames) > 1.5:
        return f"it has {decoded} frames, but the manifest says {frames:.0f} ({clip.frame_rate:g} a second)"
    return None


def _revealing_tag(probed: Mapping[str, Any], names: Iterable[str]) -> str | None:
    # whole words, which "_" separates as well
    name = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?![^\W_])", re.IGNORECASE)
    for part in (probed["format"], *probed["streams"]):
        for tag, value in part.get("tags", {}).items():
            if tag.lower() not in HARMLESS_TAGS:
                return f"its metadata has the tag {tag!r}, which a participant could read; encode it without metadata"
            if name.search(str(value)):
                return (
                    f"its metadata has the tag {tag!r} with the value {value!r}, "
                    "which a participant could read; encode it without metadata"
                )
    return None
