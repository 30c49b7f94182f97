import { describe, expect, it } from 'vitest';

import type { Recruiter } from '../../../shared/api/forms';
import { cases } from '../../../../../fixtures/recruiter-ids.json';
import { filledUrl, parametersOf, recruitOf } from './recruit';

const recruiter = (id_parameter: string): Recruiter => ({ name: 'Panel', id_parameter, ways_back: {} });
const study = (id_parameter: string | null) => ({ recruiter: id_parameter === null ? null : recruiter(id_parameter) });

describe('the id that a recruiter gave', () => {
  it.each(cases)('of $query is $id', ({ query, id }) => {
    expect(recruitOf(study('PID'), query)).toEqual(id === null ? {} : { recruit: { id } });
  });

  it('is empty without a recruiter', () => {
    expect(recruitOf(study(null), '?PID=w17')).toEqual({});
  });
});

describe('the parameters of a link', () => {
  it('are all sent', () => {
    expect(parametersOf('?PROLIFIC_PID=a&STUDY_ID=b%26c&SESSION_ID=d')).toEqual({ PROLIFIC_PID: 'a', STUDY_ID: 'b&c', SESSION_ID: 'd' });
  });

  it('are omitted if the server would refuse them', () => {
    expect(parametersOf(`?1x=a&%3Cb%3E=c&long=${'x'.repeat(257)}&empty=&line=a%0Ab&just=${'x'.repeat(256)}`)).toEqual({ just: 'x'.repeat(256) });
    const many = Array.from({ length: 25 }, (_, number) => `p${String(number)}=1`).join('&');
    expect(Object.keys(parametersOf(`?${many}`))).toHaveLength(20);
  });
});

describe('the way back', () => {
  it('has the id and the parameters of the link, percent-encoded', () => {
    const url = 'https://panel.example/{STUDY_ID}?id={id}&pid={PID}&none={none}';
    expect(filledUrl(url, recruiter('PID'), '?PID=a/b&STUDY_ID=%3Fx%26y&id=other')).toBe('https://panel.example/%3Fx%26y?id=a%2Fb&pid=a%2Fb&none=');
  });
});
