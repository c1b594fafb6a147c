import { useObservable } from 'dexie-react-hooks';
import { type FormEvent, useRef, useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { newOpId } from '#client/store/outbox/op.ts';
import { watchPlants } from '#client/store/plants.ts';
import { focusFirstInvalid } from '#client/ui/form/use-form.ts';
import { useIsMounted } from '#client/ui/use-is-mounted.ts';
import { formValuesOf, type PlantFormValues } from '#domain/plant/form.ts';
import { checkStep, type PlantFormErrors } from '#domain/plant/form-rules.ts';
import { unnamedPlant } from '#domain/plant/plant.ts';
import { announceChange } from '../submit-change.ts';
import { failureText, type SaveKey, savePlant } from './save-plant.ts';

export type ChangeField = <Name extends keyof PlantFormValues>(
  name: Name,
  value: PlantFormValues[Name],
) => void;

/** In the order of `stepNames`. */
export const stepTitles = ['Basic Info', 'Care Requirements', 'Smart Features'] as const;
const stepNames = ['basics', 'care', 'smart'] as const;

/** The wizard's state: input, current step and result of saving. `plant` is null for a new one. */
export function usePlantForm(plant: PlantWithPending | null, onSaved: () => void) {
  const db = useDb();
  const isOpen = useIsMounted();
  const [initial] = useState(() => formValuesOf(plant?.record ?? {}));
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<PlantFormErrors>({});
  const [step, setStep] = useState(0);
  const [failure, setFailure] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  // State updates too late to stop a second submit in the same tick, which would add a second plant.
  const isRunning = useRef(false);
  // The server may have added the plant although it responded with an error. Saving again uses the same key, even with
  // other values, so that no second plant is added.
  const [failedAddition, setFailedAddition] = useState<SaveKey | null>(null);
  // While a new plant is being added, it is one of the plants with this ID.
  const deviceSharers = useDeviceSharers(plant?.key ?? null, isSaving ? '' : values.device_id);

  const change: ChangeField = (name, value) => {
    // The form closes once the values are saved, so a change would be lost.
    if (isRunning.current) return;
    setValues((now) => ({ ...now, [name]: value }));
    setErrors((now) => ({ ...now, [name]: undefined, [otherEndOf(name)]: undefined }));
    setFailure(null);
  };

  async function save(): Promise<void> {
    const { opId, at } = failedAddition ?? { opId: newOpId(), at: Date.now() };
    isRunning.current = true;
    setSaving(true);
    setFailure(null);
    try {
      const saved = await savePlant(db, plant, values, { opId, at, isOpen });
      if (saved.type === 'saved') {
        const done = `${values.nickname.trim()} ${plant ? 'saved' : 'added'}`;
        announceChange(db, done, saved.isWaiting);
        // Another dialog may be open by now, which must not be closed.
        return isOpen() ? onSaved() : undefined;
      }
      if (saved.type === 'gone') return isOpen() ? onSaved() : undefined;
      setFailure(saved.message);
      setFailedAddition(plant === null && saved.opId ? { opId: saved.opId, at } : null);
    } catch (error) {
      console.warn(error);
      setFailure(failureText(plant));
    } finally {
      isRunning.current = false;
      setSaving(false);
    }
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (isRunning.current) return;
    const name = stepNames[step];
    const found = name ? checkStep(name, values) : {};
    setErrors(found);
    if (focusFirstInvalid(event.currentTarget, found)) return;
    if (step < stepTitles.length - 1) setStep(step + 1);
    else void save();
  }

  return {
    values,
    errors,
    step,
    failure,
    isSaving,
    isDirty: !isSame(values, initial),
    deviceSharers,
    change,
    onSubmit,
    goBack: () => setStep(step - 1),
    dismissFailure: () => setFailure(null),
  };
}

/** The other end of a range, whose error must be cleared too. */
function otherEndOf(name: string): string {
  return name.replace(/_(min|max)$/, (end) => (end === '_min' ? '_max' : '_min'));
}

function isSame(a: PlantFormValues, b: PlantFormValues): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The nicknames of the plants with this device ID, except the plant with the key `own`. Empty without an ID. */
function useDeviceSharers(own: string | null, deviceId: string): string[] {
  const db = useDb();
  const plants = useObservable(() => watchPlants(db), [db]);
  const id = deviceId.trim();
  if (!plants || id === '') return [];
  const sharers = plants.filter(({ key, record }) => key !== own && record.device_id === id);
  return sharers.map(({ record }) => record.nickname || unnamedPlant);
}
