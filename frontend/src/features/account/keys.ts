export const secondFactorKey = ['second-factor'];
export const sessionsKey = ['sessions'];
