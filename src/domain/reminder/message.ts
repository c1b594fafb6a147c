/** Maximum bytes of a push message as JSON; push services accept 3,993. */
export const maxMessageBytes = 3_500;

/** The first plants of the list that fit into `bytes` of JSON, counting each with its comma. */
export function plantsThatFit<P extends { id: string; name: string }>(
  plants: readonly P[],
  bytes: number,
): P[] {
  let left = bytes;
  const end = plants.findIndex((plant) => {
    left -= byteLength(JSON.stringify(plant)) + 1;
    return left < 0;
  });
  return plants.slice(0, end === -1 ? plants.length : end);
}

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
