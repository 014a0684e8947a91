// The OpenAPI document of the server: its requests, the fields of their schemas, and examples made from them.

export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  format?: string;
  default?: unknown;
  example?: unknown;
  additionalProperties?: Schema | boolean;
}

type Content = { [type: string]: { schema?: Schema } };

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

export interface Operation {
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content?: Content };
  responses?: { [status: string]: { description?: string; content?: Content } };
}

export interface Description {
  paths?: { [path: string]: { [method: string]: Operation } };
  components?: { schemas?: { [name: string]: Schema } };
}

export interface Request extends Operation {
  path: string;
  method: string;
}

const METHODS = ["get", "post", "patch", "put", "delete"];

export function requests(description: Description): Request[] {
  return Object.entries(description.paths ?? {}).flatMap(([path, methods]) => METHODS.flatMap((method) => (methods[method] ? [{ path, method, ...methods[method] }] : [])));
}

export const schemaOf = (content: Content | undefined): Schema | undefined => Object.values(content ?? {})[0]?.schema;

/** The answer of a request that succeeds. */
export function answerOf(operation: Operation): { type: string; schema: Schema | undefined; description: string | undefined } | undefined {
  const found = Object.entries(operation.responses ?? {}).find(([status]) => status.startsWith("2"))?.[1];
  return found && { type: Object.keys(found.content ?? {})[0] ?? "", schema: schemaOf(found.content), description: found.description };
}

const nameOf = (schema: Schema) => schema.$ref?.split("/").at(-1);

/** The parts of `oneOf` and `anyOf` without null. */
const choices = (schema: Schema) => (schema.oneOf ?? schema.anyOf ?? []).filter((one) => one.type !== "null");

/** A type in words: `string`, `[MatchInfo]`, `number | null`. */
export function typeName(schema: Schema | undefined): string {
  if (!schema) return "";
  const named = nameOf(schema);
  if (named) return named;
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.items) return `[${typeName(schema.items)}]`;
  if (schema.oneOf ?? schema.anyOf) return [...new Set((schema.oneOf ?? schema.anyOf)!.map((one) => typeName(one)))].join(" | ");
  return [schema.type ?? "any"].flat().join(" | ");
}

export interface Field {
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** A schema with its references resolved and the parts of `allOf` merged. */
export function resolved(schema: Schema, description: Description): Schema {
  const named = nameOf(schema);
  const found = named ? (description.components?.schemas?.[named] ?? {}) : schema;
  if (!found.allOf) return found;
  const parts = found.allOf.map((part) => resolved(part, description));
  return { ...found, properties: Object.assign({}, ...parts.map((part) => part.properties ?? {}), found.properties ?? {}), required: [...parts.flatMap((part) => part.required ?? []), ...(found.required ?? [])] };
}

/** The fields of an object, or of the items of a list. */
export function fields(schema: Schema | undefined, description: Description): Field[] {
  if (!schema) return [];
  const whole = resolved(schema, description);
  if (whole.items) return fields(whole.items, description);
  return Object.entries(whole.properties ?? {}).map(([name, field]) => ({ name, type: typeName(field), required: (whole.required ?? []).includes(name), description: field.description ?? "" }));
}

/** A value of a schema. Nested objects are followed to a depth of four. */
export function example(schema: Schema | undefined, description: Description, depth = 0): unknown {
  if (!schema) return undefined;
  const whole = resolved(schema, description);
  if (whole.example !== undefined) return whole.example;
  if (whole.default !== undefined) return whole.default;
  if (whole.enum) return whole.enum[0];
  const types = [whole.type ?? []].flat();
  if (whole.properties) {
    if (depth > 4) return {};
    return Object.fromEntries(Object.entries(whole.properties).map(([name, field]) => [name, example(field, description, depth + 1)]));
  }
  const chosen = choices(whole)[0];
  if (chosen) return example(chosen, description, depth);
  if (whole.items) return depth > 4 ? [] : [example(whole.items, description, depth + 1)];
  if (types.includes("integer") || types.includes("number")) return 0;
  if (types.includes("boolean")) return false;
  if (types.includes("string")) return "text";
  return types.includes("object") ? {} : null;
}

/** The example of a body: fields that may be left out are left out, except in answers. */
export function exampleBody(schema: Schema | undefined, description: Description): unknown {
  const whole = schema && resolved(schema, description);
  const value = example(schema, description);
  if (!whole?.properties || typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => whole.required?.includes(name)));
}
