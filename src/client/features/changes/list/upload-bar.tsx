import { useObservable } from 'dexie-react-hooks';
import { useDb } from '#client/session/current.tsx';
import { watchUploadProgress } from '#client/store/photos/upload-progress.ts';

/** How much of a photo has been sent; nothing unless its upload is running. */
export function UploadBar({ opId, title }: { opId: string; title: string }) {
  const db = useDb();
  const progress = useObservable(() => watchUploadProgress(db), [db]);
  if (progress?.opId !== opId) return null;
  const percent = Math.round(progress.share * 100);
  return <progress max={100} value={percent} aria-label={`${title}: ${percent} % sent`} />;
}
