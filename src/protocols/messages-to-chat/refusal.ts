/** Refusals by the written table, and the places that a caller is told. */
import type { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { unsupportedParameter, unsupportedValue } from '../unsupported.ts';
import { BLOCK_TYPES, isAskedFor, REQUEST_FIELDS } from './field-table.ts';

/** @throws GatewayError `unsupported_parameter` for the first field that the table refuses. */
export function refuseFields(body: JsonObject): void {
  for (const [name, row] of Object.entries(REQUEST_FIELDS)) {
    if (row.fate !== 'refused' || !isAskedFor(body[name], row)) continue;
    throw unsupportedParameter(name, row.remedy);
  }
}

/** What is said of a block that cannot stand where it stands. */
export function refusedBlock(type: unknown, path: string): GatewayError {
  const name = String(type);
  const row = BLOCK_TYPES[name];
  const remedy =
    row?.fate === 'refused'
      ? row.remedy
      : row === undefined
        ? 'cannot be told to this model; say its content in a text block'
        : 'cannot stand here; move it into a message whose role has such blocks';
  return unsupportedValue(path, `a block of type "${name}" ${remedy}`);
}
