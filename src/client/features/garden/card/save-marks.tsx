import { CloudUpload, TriangleAlert } from 'lucide-react';
import type { ShownPlant } from '../grid/shown-plant.ts';
import styles from './save-marks.module.css';

/** What of a plant is not on the server, and why; `iconSize`: CSS pixels, without it there are words alone. */
export function SaveMarks({
  shown: { isWaiting, isRefused },
  iconSize,
}: {
  shown: ShownPlant;
  iconSize?: number;
}) {
  return (
    <>
      {isWaiting && (
        <span className={styles.waiting} data-passing>
          {iconSize && <CloudUpload aria-hidden size={iconSize} />} Waiting to be sent
        </span>
      )}
      {isRefused && (
        <span className={styles.refused}>
          {iconSize && <TriangleAlert aria-hidden size={iconSize} />} Could not be saved
        </span>
      )}
    </>
  );
}
