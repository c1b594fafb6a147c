import { useEffect, useRef } from 'react';
import type { PlantWithPending } from '#client/store/outbox/apply-pending-ops.ts';
import { Banner } from '#client/ui/feedback/banner.tsx';
import hidden from '#client/ui/feedback/screen-reader.module.css';
import { Button } from '#client/ui/form/button.tsx';
import { SecondTapShield } from '#client/ui/overlay/second-tap.ts';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import { ConfirmDiscardChanges, useUnsavedGuard } from '../../dashboard/unsaved-guard.tsx';
import { plantLinkElement } from '../card/plant-link.tsx';
import { useInitialPlant } from '../use-garden.ts';
import styles from './plant-form.module.css';
import { BasicsStep, CareStep, SmartStep } from './plant-form-steps.tsx';
import { StepIndicator } from './step-indicator.tsx';
import { stepTitles, usePlantForm } from './use-plant-form.ts';

/** The form for a new plant (`id` is null) or an existing one. */
export function PlantFormSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string | null;
  onClose: () => void;
  /** Called when there is no such plant. */
  onMissing: (id: string) => void;
}) {
  return id === null ? (
    <PlantForm plant={null} onClose={onClose} />
  ) : (
    <EditSheet id={id} onClose={onClose} onMissing={onMissing} />
  );
}

function EditSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string;
  onClose: () => void;
  onMissing: (id: string) => void;
}) {
  const plant = useInitialPlant(id, onMissing);
  return plant && <PlantForm plant={plant} onClose={onClose} />;
}

const params = ['form'] as const;
const parts = [BasicsStep, CareStep, SmartStep] as const;

/** The wizard for a plant in three steps; `plant` is null for a new one. */
function PlantForm({ plant, onClose }: { plant: PlantWithPending | null; onClose: () => void }) {
  const form = usePlantForm(plant, closeNow);
  const guard = useUnsavedGuard(form.isDirty && !form.isSaving, params);
  const body = useRef<HTMLFormElement>(null);
  const title = useStepFocus(form.step);
  const Part = parts[form.step] ?? BasicsStep;
  const isLast = form.step === stepTitles.length - 1;

  function closeNow(): void {
    guard.release();
    onClose();
  }

  return (
    <Sheet
      title={plant ? 'Edit Plant' : 'Add New Plant'}
      subtitle={plant?.record.nickname || 'What it is and what it needs'}
      fitsContent
      // The dialog of the plant, where the person pressed Edit, is closed by then.
      focusFallback={() => plant && plantLinkElement(plant.key)}
      onClose={() => !form.isSaving && onClose()}
      onOpenFocus={() =>
        plant ? title.current?.focus() : body.current?.querySelector('input')?.focus()
      }
    >
      <form ref={body} className={styles.form} onSubmit={form.onSubmit} noValidate>
        <div className={styles.head}>
          <StepIndicator current={form.step} />
          {form.failure && (
            <Banner look="error" onDismiss={form.dismissFailure}>
              {form.failure}
            </Banner>
          )}
        </div>
        <section className={styles.step} key={form.step} aria-labelledby="plant-form-step">
          <SecondTapShield />
          {/* Visually hidden, because the step indicator shows the name already. */}
          <h3 id="plant-form-step" ref={title} className={hidden.hidden} tabIndex={-1}>
            {stepTitles[form.step]}
          </h3>
          <Part
            values={form.values}
            errors={form.errors}
            change={form.change}
            deviceSharers={form.deviceSharers}
          />
        </section>
        <footer className={styles.actions}>
          {form.step === 0 ? (
            <Button look="quiet" onClick={closeNow}>
              Cancel
            </Button>
          ) : (
            <Button look="quiet" onClick={form.goBack} disabled={form.isSaving}>
              Back
            </Button>
          )}
          <Button
            type="submit"
            busyText={form.isSaving ? (plant ? 'Saving...' : 'Adding...') : null}
          >
            {isLast ? (plant ? 'Save Changes' : 'Add Plant') : 'Next'}
          </Button>
        </footer>
      </form>
      <ConfirmDiscardChanges question={guard.question} />
    </Sheet>
  );
}

/** Focuses the title of a new step, so that it is read out. When the form opens, the sheet sets the focus. */
function useStepFocus(step: number) {
  const title = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    title.current?.focus();
  }, [step]);
  return title;
}
