import * as v from 'valibot';

/** The errors of an input, as `field: message`; empty if the schema accepts it. */
export function schemaErrors(schema: v.GenericSchema, input: unknown): string[] {
  const { issues = [] } = v.safeParse(schema, input);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
}

export function accepts(schema: v.GenericSchema, input: unknown): boolean {
  return v.is(schema, input);
}
