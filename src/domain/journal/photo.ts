/** Limits of photos. An operator can configure `bytes` and `count`. */
export const photoLimits = {
  /** Bytes of the full size. */
  bytes: 2 * 1024 * 1024,
  /** Bytes of the small size. */
  smallBytes: 200 * 1024,
  pixels: 30_000_000,
  /** Photos of an account. */
  count: 1_000,
} as const;

/** A photo of a plant, without its bytes. */
export interface JournalPhoto {
  /** A UUID, chosen by the device that took it. */
  id: string;
  /** The journal entry that it belongs to; null for a photo without an entry. */
  entry_id: string | null;
  /** ISO 8601 UTC */
  taken_at: string;
  /** Of the full size, pixels. */
  width: number;
  height: number;
}
