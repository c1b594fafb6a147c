import { Button } from '#client/ui/form/button.tsx';

/** One thing to do about an item of a list: its name is read with what it is about. */
export function Decision({
  name,
  what,
  isQuiet,
  onClick,
}: {
  name: string;
  what: string;
  isQuiet?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="small"
      look={isQuiet ? 'quiet' : 'primary'}
      aria-label={`${name}: ${what}`}
      onClick={onClick}
    >
      {name}
    </Button>
  );
}
