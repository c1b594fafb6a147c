import { useRef, useState } from 'react';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { DevicesPanel, devicesIntro } from './devices-panel.tsx';

/** The devices that may post readings for this account: lists, adds and removes them. */
export function DevicesSheet({ onClose }: { onClose: () => void }) {
  const body = useRef<HTMLDivElement>(null);
  const [hasUncopied, setUncopied] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const focusBody = () => body.current?.focus();
  return (
    <Sheet
      title="Devices"
      subtitle={devicesIntro}
      fitsContent
      onOpenFocus={focusBody}
      onClose={() => (hasUncopied ? setLeaving(true) : onClose())}
    >
      <SheetBody ref={body}>
        <DevicesPanel onFocusLost={focusBody} onSecret={setUncopied} />
      </SheetBody>
      {isLeaving && (
        <ConfirmDiscard
          title="Close without copying?"
          description="The secret has not been copied and will not be shown again."
          keep={['Back to the secret', () => setLeaving(false)]}
          discard={['Close', onClose]}
        />
      )}
    </Sheet>
  );
}
