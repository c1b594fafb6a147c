import { useRef } from 'react';
import { Sheet, SheetBody } from '#client/ui/overlay/sheet.tsx';
import { DevicesPanel, devicesIntro } from './devices-panel.tsx';

const openedBy = ['devices'] as const;

/** The dashboard's sheet to list, add and remove the devices that may post readings for this account. */
export function DevicesSheet({ onClose }: { onClose: () => void }) {
  const body = useRef<HTMLDivElement>(null);
  const focusBody = () => body.current?.focus();
  return (
    <Sheet
      title="Devices"
      subtitle={devicesIntro}
      fitsContent
      onOpenFocus={focusBody}
      onClose={onClose}
    >
      <SheetBody ref={body}>
        <DevicesPanel onFocusLost={focusBody} openedBy={openedBy} />
      </SheetBody>
    </Sheet>
  );
}
