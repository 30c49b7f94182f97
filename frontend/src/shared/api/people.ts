import * as v from 'valibot';

import { Role } from './account';
import { request } from './request';

export const Person = v.object({ username: v.string(), role: Role, is_active: v.boolean(), last_login: v.nullable(v.string()) });
export type Person = v.InferOutput<typeof Person>;

/** With the first password, which is shown this once. */
export const NewPerson = v.object({ ...Person.entries, password: v.string() });
export type NewPerson = v.InferOutput<typeof NewPerson>;

export const NewPassword = v.object({ password: v.string() });

const one = (username: string, what: string) => `/api/accounts/${encodeURIComponent(username)}/${what}`;

export function getPeople(): Promise<Person[]> {
  return request(v.array(Person), '/api/accounts');
}

export function createPerson(wish: { username: string; role: Role }): Promise<NewPerson> {
  return request(NewPerson, '/api/accounts', { method: 'POST', json: wish });
}

export function setRole(username: string, role: Role): Promise<Person> {
  return request(Person, one(username, 'role'), { method: 'POST', json: { role } });
}

export function setActive(username: string, active: boolean): Promise<Person> {
  return request(Person, one(username, 'active'), { method: 'POST', json: { active } });
}

export function newPassword(username: string): Promise<{ password: string }> {
  return request(NewPassword, one(username, 'password'), { method: 'POST' });
}
