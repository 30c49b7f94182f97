import { describe, expect, it } from 'vitest';

import type { Invitation } from '../../shared/api/forms';
import { recruitOf } from './recruit';

const study = (id_parameter: string | null) => ({ id_parameter }) as Invitation;

describe('the id that a recruiter gave', () => {
  it('is the value of the parameter that the study names', () => {
    expect(recruitOf(study('PANEL_PID'), '?x=1&PANEL_PID=w%2017')).toEqual({ recruit: { id: 'w 17' } });
  });

  it.each([
    [null, '?PANEL_PID=w17'],
    ['PANEL_PID', '?panel_pid=w17'],
    ['PANEL_PID', '?PANEL_PID='],
    ['PANEL_PID', ''],
  ])('is nothing where the study names %s and the link says %s', (parameter, search) => {
    expect(recruitOf(study(parameter), search)).toEqual({});
  });
});
