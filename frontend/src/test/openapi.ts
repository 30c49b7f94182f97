import { readFileSync } from 'node:fs';

import type * as v from 'valibot';

export interface JsonSchema {
  $ref?: string;
  type?: string;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
}
interface OpenApi {
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, JsonSchema> };
}

export const openapi = JSON.parse(readFileSync('../docs/contracts/openapi.json', 'utf8')) as OpenApi;

interface AnySchema {
  type: string;
  entries?: Record<string, AnySchema>;
  item?: AnySchema;
  wrapped?: AnySchema;
}

const kinds: Record<string, readonly string[]> = {
  number: ['number', 'integer'],
  string: ['string'],
  picklist: ['string'],
  boolean: ['boolean'],
  array: ['array'],
  object: ['object'],
  record: ['object'],
};

/** Where answers of the form `wire` would not be taken by `schema`: one sentence each. */
export function misfits(schema: v.GenericSchema, wire: JsonSchema): string[] {
  return compare(schema, wire, '');
}

function compare(schema: AnySchema, wire: JsonSchema, at: string): string[] {
  if (wire.$ref !== undefined) {
    const name = wire.$ref.split('/').at(-1) ?? '';
    const named = openapi.components.schemas[name];
    return named === undefined ? [`${at}: the contract has no ${name}`] : compare(schema, named, at);
  }
  if (schema.type === 'unknown') return [];
  if (schema.type === 'nullable' || schema.type === 'nullish' || schema.type === 'optional') {
    const known = wire.anyOf?.find((one) => one.type !== 'null') ?? wire;
    return schema.wrapped === undefined ? [] : compare(schema.wrapped, known, at);
  }
  if (wire.anyOf?.some((one) => one.type === 'null') === true) return [`${at}: may be null`];
  if (wire.type !== undefined && !(kinds[schema.type] ?? []).includes(wire.type)) return [`${at}: is ${wire.type}, not ${schema.type}`];
  if (schema.item !== undefined && wire.items !== undefined) return compare(schema.item, wire.items, `${at}[]`);
  // an object with any keys (a text per language) has no properties to compare
  const { properties } = wire;
  if (schema.entries === undefined || properties === undefined) return [];
  return Object.entries(schema.entries).flatMap(([key, entry]) => {
    const property = properties[key];
    if (property !== undefined) return compare(entry, property, `${at}.${key}`);
    return entry.type === 'optional' || entry.type === 'nullish' ? [] : [`${at}.${key}: is not in the contract`];
  });
}
