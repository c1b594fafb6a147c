import * as v from 'valibot';

/** What a schema says against an input, as `field: message`; nothing when it accepts it. */
export function complaintsOf(schema: v.GenericSchema, input: unknown): string[] {
  const { issues = [] } = v.safeParse(schema, input);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ''}: ${issue.message}`);
}

export function accepts(schema: v.GenericSchema, input: unknown): boolean {
  return v.is(schema, input);
}
