import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { changePlant } from '#client/store/outbox/plant-changes.ts';
import { Button } from '#client/ui/form/button.tsx';
import { Checkbox, SelectField } from '#client/ui/form/field.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import type { PlantEdit } from '#domain/plant/form.ts';
import { type PlantRecord, toPlant } from '#domain/plant/plant.ts';
import { reminderDays, reminderTime } from '#domain/reminder/times.ts';
import { plantLinkElement } from '../card/plant-link.tsx';
import { submitChange } from '../submit-change.ts';
import { useInitialPlant } from '../use-garden.ts';

interface RemindersDialogProps {
  id: string;
  onClose: () => void;
  /** Called when there is no such plant. */
  onMissing: (id: string) => void;
}

/** The reminder settings of one plant. */
export function RemindersDialog({ id, onClose, onMissing }: RemindersDialogProps) {
  const plant = useInitialPlant(id, onMissing);
  return plant && <ReminderFields plantKey={plant.key} record={plant.record} onClose={onClose} />;
}

interface ReminderFieldsProps {
  plantKey: string;
  record: PlantRecord;
  onClose: () => void;
}

function ReminderFields({ plantKey, record, onClose }: ReminderFieldsProps) {
  const db = useDb();
  const { nickname, tracking } = toPlant(record, Date.now());
  const before = tracking.reminderSettings;
  const [isOn, setOn] = useState(before.enabled);
  const [days, setDays] = useState(before.frequency);

  function save(): void {
    onClose();
    const edit = reminderEdit(record, isOn, days);
    if (Object.keys(edit.edits).length === 0) return;
    const write = async () => (await changePlant(db, plantKey, edit, Date.now())).opId;
    void submitChange(db, write, {
      done: `Reminders of ${nickname} saved`,
      failed: `Failed to change reminders of plant with ID ${plantKey}`,
    });
  }

  return (
    <Dialog
      title="Reminders"
      description={
        <>
          For <bdi>{nickname}</bdi>. Settings has the time of day and how you are reminded.
        </>
      }
      // The dialog of the plant may have been open before this one.
      focusFallback={() => plantLinkElement(plantKey)}
      onClose={onClose}
      fields={
        <>
          <Checkbox
            label="Remind me about this plant"
            role="switch"
            checked={isOn}
            onChange={(event) => setOn(event.target.checked)}
          />
          <SelectField
            label="When"
            disabled={!isOn}
            value={days}
            onChange={(event) => setDays(Number(event.target.value))}
            options={choices(before.frequency).map((choice) => [
              String(choice),
              reminderTime(choice),
            ])}
          />
        </>
      }
    >
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
      <Button onClick={save}>Save</Button>
    </Dialog>
  );
}

/** The usual choices, and the plant's current number of days if a client of the API has set another one. */
function choices(current: number): number[] {
  return [...new Set([...reminderDays, current])].sort((a, b) => a - b);
}

/** Only the fields that the person changed; a missing value of the record counts as the default. */
function reminderEdit(record: PlantRecord, isOn: boolean, days: number): PlantEdit {
  const { enabled, frequency } = toPlant(record, 0).tracking.reminderSettings;
  const edit: PlantEdit = { edits: {}, base: {} };
  if (isOn !== enabled) {
    edit.edits.reminder_enabled = isOn;
    edit.base.reminder_enabled = enabled;
  }
  if (days !== frequency) {
    edit.edits.reminder_days_before = days;
    edit.base.reminder_days_before = frequency;
  }
  return edit;
}
