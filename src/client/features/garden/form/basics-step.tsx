import { Field, SelectField, TextAreaField } from '#client/ui/form/field.tsx';
import { textField } from '#client/ui/form/use-form.ts';
import { categories } from '#domain/plant/options.ts';
import styles from './plant-form.module.css';
import { choicesOf, type StepProps } from './step-props.ts';

export function BasicsStep(form: StepProps) {
  const { values, change } = form;
  return (
    <div className={styles.fields}>
      <Field
        label="Nickname"
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="next"
        required
        {...textField(form, 'nickname')}
      />
      <Field
        label="Plant name"
        autoComplete="off"
        enterKeyHint="next"
        required
        {...textField(form, 'plant_name')}
      />
      <Field
        label="Species"
        autoComplete="off"
        enterKeyHint="next"
        required
        {...textField(form, 'species')}
      />
      <SelectField
        label="Category"
        name="category"
        options={choicesOf(
          Object.fromEntries(categories.map((name) => [name, name])),
          values.category,
        )}
        value={values.category}
        onChange={(event) => change('category', event.target.value)}
      />
      <div className={styles.wide}>
        <Field
          label="Location (optional)"
          autoComplete="off"
          enterKeyHint="next"
          {...textField(form, 'location')}
        />
      </div>
      <div className={styles.wide}>
        <TextAreaField
          label="Description (optional)"
          enterKeyHint="enter"
          rows={4}
          {...textField(form, 'description')}
        />
      </div>
    </div>
  );
}
