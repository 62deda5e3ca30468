"""Files into pictures: every format and depth as a person sees it, and one sentence for what is no picture."""

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import CannotSee
from vision.pictures import Picture, decode, load, look


@pytest.fixture
def scene() -> np.ndarray:
    """A picture that shows when it is turned, mirrored or miscoloured: red left top, blue right, 90 x 60."""
    image = np.full((60, 90, 3), 200, np.uint8)
    image[:30, :45] = (0, 0, 220)
    image[:, 60:] = (220, 0, 0)
    return image


def near(picture: Picture, scene: np.ndarray, most: float = 12.0) -> bool:
    return picture.image.shape == scene.shape and float(np.abs(picture.image.astype(int) - scene).mean()) < most


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff", ".ppm"])
def test_common_formats(scene: np.ndarray, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{suffix}"
    cv2.imwrite(str(path), scene)
    picture = load(path)
    assert near(picture, scene) and (picture.width, picture.height) == (90, 60)
    header = look(path.read_bytes())
    assert header is not None and (header.width, header.height) == (90, 60)


def test_grey_alpha_and_sixteen_bits(scene: np.ndarray) -> None:
    grey = cv2.cvtColor(scene, cv2.COLOR_BGR2GRAY)
    for raw in (grey, (grey.astype(np.uint16) << 8)):
        picture = decode(cv2.imencode(".png", raw)[1].tobytes(), "x")
        assert picture.image.shape == (60, 90, 3) and np.abs(picture.image[..., 0].astype(int) - grey).max() <= 1
    twelve = grey.astype(np.uint16) << 4
    assert np.abs(decode(cv2.imencode(".tiff", twelve)[1].tobytes(), "x").image[..., 0].astype(int) - grey).max() <= 1
    clear = np.dstack([scene, np.full((60, 90), 255, np.uint8)])
    clear[:, :20, 3] = 0
    picture = decode(cv2.imencode(".png", clear)[1].tobytes(), "x")
    assert (picture.image[:, :20] == 48).all() and np.array_equal(picture.image[:, 20:], scene[:, 20:])


def exif_turned(jpeg: bytes, orientation: int) -> bytes:
    """*jpeg* with an EXIF block that says how the camera was held."""
    tiff = b"II*\0" + struct.pack("<IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_rotation(scene: np.ndarray, orientation: int) -> None:
    turns = {
        1: lambda s: s, 2: lambda s: s[:, ::-1], 3: lambda s: s[::-1, ::-1], 4: lambda s: s[::-1],
        5: lambda s: s.transpose(1, 0, 2), 6: lambda s: np.rot90(s, 1), 7: lambda s: s[::-1, ::-1].transpose(1, 0, 2),
        8: lambda s: np.rot90(s, -1),
    }  # fmt: skip
    stored = np.ascontiguousarray(turns[orientation](scene))
    jpeg = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()
    picture = decode(exif_turned(jpeg, orientation), "x")
    assert near(picture, scene) and (picture.width, picture.height) == (90, 60)


def test_cmyk(scene: np.ndarray, tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "print.jpg"
    pillow.fromarray(scene[..., ::-1]).convert("CMYK").save(path, quality=95)
    assert near(load(path), scene, 25.0)


def test_animations_give_their_first_frame(scene: np.ndarray, tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    first = pillow.fromarray(scene[..., ::-1])
    other = pillow.fromarray(np.zeros_like(scene))
    for name in ("a.gif", "a.webp", "a.png"):
        first.save(tmp_path / name, save_all=True, append_images=[other], duration=100)
        assert near(load(tmp_path / name), scene), name


def png_header(width: int, height: int) -> bytes:
    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = part(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + part(b"IDAT", zlib.compress(b"\0" * 1000)) + part(b"IEND", b"")


def test_one_sentence_for_what_is_no_picture(scene: np.ndarray, tmp_path: Path) -> None:
    jpeg = cv2.imencode(".jpg", scene)[1].tobytes()
    png = cv2.imencode(".png", scene)[1].tobytes()
    cases = {
        "empty.jpg": (b"", "empty"), "text.jpg": (b"hello, world\n" * 20, "no picture"),
        "cut.jpg": (jpeg[: len(jpeg) // 2], "middle"), "cut.png": (png[: len(png) // 2], "middle"),
        "bomb.png": (png_header(20000, 20000), "20000 x 20000"), "lies.png": (png_header(50, 50), "damaged"),
        "phone.heic": (b"\0\0\0\x18ftypheic" + b"\0" * 40, "HEIC"),
        "film.mp4": (b"\0\0\0\x18ftypisom" + b"\0" * 40, "no picture"),
        "three.jpg": (b"\xff\xd8\xff", "middle"),
    }  # fmt: skip
    for name, (data, why) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(CannotSee, match=why) as caught:
            load(path)
        assert "\n" not in str(caught.value) and name in str(caught.value)
    for path, why in ((tmp_path, "folder"), (tmp_path / "none.jpg", "no such")):
        with pytest.raises(CannotSee, match=why):
            load(path)


def test_a_photo_with_something_behind_its_end_is_whole(scene: np.ndarray) -> None:
    jpeg = cv2.imencode(".jpg", scene)[1].tobytes()
    assert near(decode(jpeg + b"\xff\xda moving picture \xff\xda", "x"), scene)


def test_a_very_large_jpeg_is_shrunk_while_it_is_read() -> None:
    wide = np.zeros((5000, 9000, 3), np.uint8)
    wide[:, :4500] = 200
    picture = decode(cv2.imencode(".jpg", wide)[1].tobytes(), "x")
    assert (picture.width, picture.height) == (9000, 5000)
    assert picture.image.shape == (2500, 4500, 3) and picture.image[0, 0, 0] == 200 and picture.image[0, -1, 0] == 0


def test_one_pixel() -> None:
    picture = decode(cv2.imencode(".png", np.full((1, 1, 3), 9, np.uint8))[1].tobytes(), "x")
    assert picture.image.shape == (1, 1, 3)
