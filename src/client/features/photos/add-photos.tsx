import { Camera } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import styles from './add-photos.module.css';
import { usePhotoPicker } from './use-photo-picker.tsx';

/** A button that takes photos with the camera or chooses them from the gallery, and adds them to a plant. */
export function AddPhotos({ plantKey }: { plantKey: string }) {
  const { input, open, busyText, problems } = usePhotoPicker(plantKey);
  return (
    <div className={styles.add}>
      {input}
      <Button look="quiet" busyText={busyText} onClick={open}>
        <Camera aria-hidden size={18} /> Add photos
      </Button>
      <PhotoProblems problems={problems} />
    </div>
  );
}

/** Why files were not added. */
export function PhotoProblems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <ul className={styles.problems} role="alert">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  );
}
