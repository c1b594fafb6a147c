import { categories } from '#domain/plant-options.ts';
import { ChoiceField } from '#ui/choice-field.tsx';
import { Field } from '#ui/field.tsx';
import { TextAreaField } from '#ui/text-area-field.tsx';
import styles from './plant-form.module.css';
import { choicesOf, type StepProps } from './step-props.ts';

export function BasicsStep({ values, errors, change }: StepProps) {
  return (
    <div className={styles.fields}>
      <Field
        label="Nickname"
        name="nickname"
        autoComplete="off"
        autoCapitalize="words"
        enterKeyHint="next"
        required
        value={values.nickname}
        error={errors.nickname}
        onChange={(event) => change('nickname', event.target.value)}
      />
      <Field
        label="Plant name"
        name="plant_name"
        autoComplete="off"
        enterKeyHint="next"
        required
        value={values.plant_name}
        error={errors.plant_name}
        onChange={(event) => change('plant_name', event.target.value)}
      />
      <Field
        label="Species"
        name="species"
        autoComplete="off"
        enterKeyHint="next"
        required
        value={values.species}
        error={errors.species}
        onChange={(event) => change('species', event.target.value)}
      />
      <ChoiceField
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
          name="location"
          autoComplete="off"
          enterKeyHint="next"
          value={values.location}
          onChange={(event) => change('location', event.target.value)}
        />
      </div>
      <div className={styles.wide}>
        <TextAreaField
          label="Description (optional)"
          name="description"
          rows={4}
          value={values.description}
          onChange={(event) => change('description', event.target.value)}
        />
      </div>
    </div>
  );
}
