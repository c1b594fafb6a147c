/**
 * A photo as a phone's camera writes it: a JPEG that is stored rotated (EXIF orientation 6: turn it clockwise) and that
 * contains a location. `paint` draws the stored, rotated image.
 */
export async function cameraJpeg(
  width: number,
  height: number,
  paint: (context: OffscreenCanvasRenderingContext2D) => void,
): Promise<File> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  paint(context);
  const jpeg = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  const bytes = withExif(new Uint8Array(await jpeg.arrayBuffer()));
  return new File([bytes], 'IMG_0001.jpg', { type: 'image/jpeg' });
}

/** Inserts EXIF data (orientation and location) directly after a JPEG's start marker, as a camera does. */
export function withExif(jpeg: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array([...jpeg.subarray(0, 2), ...exifSegment(), ...jpeg.subarray(2)]);
}

const ascii = 2;
const short = 3;
const long = 4;
const rational = 5;

/** APP1 with orientation 6 and a GPS position, as big-endian TIFF. */
function exifSegment(): Uint8Array<ArrayBuffer> {
  const gpsAt = 8 + 2 + 2 * 12 + 4;
  const gpsEntries = 4;
  const valuesAt = gpsAt + 2 + gpsEntries * 12 + 4;
  const entry = (tag: number, type: number, count: number, value: number[]) => [
    ...int16(tag),
    ...int16(type),
    ...int32(count),
    ...value,
  ];
  const degrees = [10, 1, 46, 1, 30, 1].flatMap(int32);
  const tiff = [
    ...text('MM'),
    ...int16(42),
    ...int32(8),
    ...int16(2),
    ...entry(0x0112, short, 1, [...int16(6), 0, 0]),
    ...entry(0x8825, long, 1, int32(gpsAt)),
    ...int32(0),
    ...int16(gpsEntries),
    ...entry(1, ascii, 2, [...text('N'), 0, 0, 0]),
    ...entry(2, rational, 3, int32(valuesAt)),
    ...entry(3, ascii, 2, [...text('E'), 0, 0, 0]),
    ...entry(4, rational, 3, int32(valuesAt)),
    ...int32(0),
    ...degrees,
  ];
  const body = [...text('Exif'), 0, 0, ...tiff];
  return new Uint8Array([0xff, 0xe1, ...int16(body.length + 2), ...body]);
}

function text(ascii7: string): number[] {
  return [...ascii7].map((char) => char.charCodeAt(0));
}

function int16(value: number): number[] {
  return [(value >> 8) & 0xff, value & 0xff];
}

function int32(value: number): number[] {
  return [...int16(value >>> 16), ...int16(value & 0xffff)];
}

/** The markers of a JPEG's segments up to the image data, such as 0xe1 for EXIF. */
export function segmentsOf(jpeg: ArrayBuffer): number[] {
  const view = new DataView(jpeg);
  const markers: number[] = [];
  let at = 2;
  while (view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda) {
    markers.push(view.getUint8(at + 1));
    at += 2 + view.getUint16(at + 2);
  }
  return markers;
}
