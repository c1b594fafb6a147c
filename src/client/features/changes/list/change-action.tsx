import { Button } from '#client/ui/form/button.tsx';

/** One action on an item of a list. Its accessible name includes the item. */
export function ChangeAction({
  name,
  item,
  isQuiet,
  onClick,
}: {
  name: string;
  item: string;
  isQuiet?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="small"
      look={isQuiet ? 'quiet' : 'primary'}
      aria-label={`${name}: ${item}`}
      onClick={onClick}
    >
      {name}
    </Button>
  );
}

/**
 * Calls `onDone` after a database write. It is not called if the write resolves with false or null: there was no longer
 * anything to decide. A failed write is only logged here: the storage notice reports it.
 */
export function afterWrite(write: Promise<unknown>, onDone?: () => void): void {
  write
    .then((result) => {
      if (result !== false && result !== null) onDone?.();
    })
    .catch((error: unknown) => console.warn(error));
}
