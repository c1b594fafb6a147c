import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { RequestFunction } from './request.ts';

export interface Reference {
  $ref: string;
}

export interface DocumentedResponse {
  description: string;
  headers?: Record<string, object>;
  content?: {
    'application/json'?: { schema: object; examples?: Record<string, DocumentedExample> };
    /** Bodies that are not JSON. */
    'text/event-stream'?: { schema: object };
    'text/calendar; charset=utf-8'?: { schema: object };
    'image/jpeg'?: object;
  };
}

export interface DocumentedExample {
  value: object;
  'x-request': { body?: object; query?: string };
}

export interface DocumentedCall {
  operationId: string;
  security: object[];
  parameters?: ({ name: string; in: string } | Reference)[];
  requestBody?: {
    content: {
      'application/json'?: { schema: Reference & { anyOf?: Reference[] }; example: object };
      'multipart/form-data'?: object;
    };
  };
  responses: Record<string, DocumentedResponse | Reference>;
}

export interface OpenapiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, DocumentedCall>>;
  components: {
    schemas: Record<string, { required?: string[]; properties?: Record<string, object> }>;
    responses: Record<string, DocumentedResponse>;
    securitySchemes: Record<string, object>;
  };
}

/** Checks responses against a document. A field that is not documented is an error too. */
export function openChecker(document: OpenapiDocument) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document), 'document');
  const compiled = new Map<string, ValidateFunction>();
  const seen = new Set<string>();

  function problemsOf(schema: object, value: unknown): unknown[] {
    const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, validate);
    return validate(value) ? [] : (validate.errors ?? []);
  }

  function checkResponse(method: string, url: string, response: LightMyRequestResponse): void {
    const call = callAt(document, method, url);
    const at = `${call.operationId} ${response.statusCode} ${response.body}`;
    const found = call.responses[response.statusCode];
    if (!found) throw new Error(`not documented: ${at}`);
    const documented = resolve<DocumentedResponse>(document, found);
    const named = Object.keys(documented.headers ?? {});
    const sent = [
      'ETag',
      'Idempotent-Replayed',
      'Retry-After',
      'Location',
      'IM',
      'Delta-Base',
    ].filter((name) => response.headers[name.toLowerCase()] !== undefined);
    expect(named, at).toEqual(expect.arrayContaining(sent));
    expect([...sent, 'Idempotent-Replayed'], at).toEqual(expect.arrayContaining(named));
    seen.add(`${call.operationId} ${response.statusCode}`);
    const schema = documented.content?.['application/json']?.schema;
    const [other] = Object.keys(documented.content ?? {}).filter((type) => !type.endsWith('json'));
    if (other !== undefined) expect(response.headers['content-type'], at).toBe(other);
    else if (schema) {
      expect(response.headers['content-type'], at).toMatch(/^application\/json/);
      expect(problemsOf(schema, response.json()), at).toEqual([]);
    } else expect(response.body, at).toBe('');
  }

  /** Wraps `request`: every response must match the document. */
  function checked(request: RequestFunction): RequestFunction {
    return async (method, url, options) => {
      const response = await request(method, url, options);
      checkResponse(method, url, response);
      return response;
    };
  }

  return { checked, problemsOf, seen };
}

/** Resolves a reference; throws if its target does not exist. */
export function resolve<T>(document: object, part: T | Reference): T {
  if (!isReference(part)) return part;
  const steps = part.$ref.replace(/^#\//, '').split('/');
  let at: unknown = document;
  for (const step of steps) at = (at as Record<string, unknown> | undefined)?.[step];
  if (at === undefined) throw new Error(`${part.$ref} has no target`);
  return at as T;
}

/** Every reference in the document. */
export function referencesIn(part: unknown): Reference[] {
  if (typeof part !== 'object' || part === null) return [];
  if (isReference(part)) return [part];
  return Object.values(part).flatMap(referencesIn);
}

export function callsOf(document: OpenapiDocument) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => ({
      method: method.toUpperCase() as 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
      path,
      call,
    })),
  );
}

function callAt(document: OpenapiDocument, method: string, url: string): DocumentedCall {
  const [path = ''] = url.split('?');
  const fitting = callsOf(document).filter(
    (each) =>
      each.method === method &&
      new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  // A fixed path wins over a template, as in the router.
  const found = fitting.find((each) => each.path === path) ?? fitting[0];
  if (!found) throw new Error(`not documented: ${method} ${url}`);
  return found.call;
}

function closed(document: OpenapiDocument): object {
  const { schemas } = document.components;
  const all = Object.entries(schemas).map(([name, schema]) => [name, closedSchema(schema)]);
  return {
    ...document,
    components: { ...document.components, schemas: Object.fromEntries(all) },
  };
}

function closedSchema(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closedSchema);
  const inner = Object.entries(part).map(([name, value]) => [name, closedSchema(value)]);
  const isOpen = 'type' in part && part.type === 'object' && 'properties' in part;
  return { ...Object.fromEntries(inner), ...(isOpen && { additionalProperties: false }) };
}

function isReference(part: unknown): part is Reference {
  return typeof part === 'object' && part !== null && '$ref' in part;
}
