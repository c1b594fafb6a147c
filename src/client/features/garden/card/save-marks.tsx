import { CloudUpload, TriangleAlert } from 'lucide-react';
import type { PlantView } from '../plant-view.ts';
import styles from './save-marks.module.css';

/** Says which changes of a plant are not on the server. `iconSize` is in CSS pixels; without it there are no icons. */
export function SaveMarks({
  view: { isWaiting, isRefused },
  iconSize,
}: {
  view: PlantView;
  iconSize?: number;
}) {
  return (
    <>
      {isWaiting && (
        <span className={styles.waiting}>
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
