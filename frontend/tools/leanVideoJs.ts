import { parseAsync, types as t } from '@babel/core';
import type { Plugin } from 'vite';

/** Parts of video.js that a film without controls needs; all other registered parts are removed from the build. */
const needed = new Set(['Component', 'Tech', 'MediaLoader', 'Player']);
/** Tables that only the subtitle settings read. */
const tables = ['selectConfigs'];

/** Modules of video.js that read subtitles, which films do not have. */
const unread = ['videojs-vtt.js', '@videojs/xhr'];

/**
 * Vite plugin that removes unused parts of video.js: bars, buttons, menus, dialogs and subtitles, half of its code.
 *
 * All parts are in one file and register themselves, so a bundler has to keep them. Without the registration they are
 * unused classes, which the bundler removes. The build fails if video.js no longer has this structure.
 */
export function leanVideoJs(): Plugin {
  return {
    name: 'lean-video-js',
    apply: 'build',
    enforce: 'pre',
    resolveId(id) {
      return unread.includes(id) ? `\0unread:${id}` : null;
    },
    load(id) {
      // an empty module would make video.js fetch its subtitle parser from a CDN
      return id.startsWith('\0unread:') ? 'export default { unread: true };' : null;
    },
    async transform(code, id) {
      if (!id.includes('video.js/core.es.js')) return null;
      const file = await parseAsync(code, { babelrc: false, configFile: false, sourceType: 'module' });
      if (file == null) throw new Error('lean-video-js: core.es.js cannot be parsed');
      const statements = file.program.body;
      const parts = new Set([...statements.flatMap(registered).filter((name) => !needed.has(name)), ...tables]);
      if (parts.size < 60 || !parts.has('ControlBar')) throw new Error('lean-video-js: video.js no longer registers its parts by Component.registerComponent; check the new version');
      return { code: without(code, statements.filter((statement) => isOnlyAbout(statement, parts))), map: null };
    },
  };
}

/** The name in `Component.registerComponent('Name', Name)`. */
function registered(statement: t.Statement): string[] {
  if (!t.isExpressionStatement(statement) || !t.isCallExpression(statement.expression)) return [];
  const { callee, arguments: args } = statement.expression;
  const isRegistration = t.isMemberExpression(callee) && t.isIdentifier(callee.property, { name: 'registerComponent' });
  return isRegistration && t.isStringLiteral(args[0]) ? [args[0].value] : [];
}

/** Whether a statement only registers one of the parts, or sets one of their properties. */
function isOnlyAbout(statement: t.Statement, parts: ReadonlySet<string>): boolean {
  if (registered(statement).some((name) => parts.has(name))) return true;
  if (t.isIfStatement(statement)) {
    return statement.alternate == null && t.isBlockStatement(statement.consequent) && statement.consequent.body.every((inner) => isOnlyAbout(inner, parts));
  }
  if (!t.isExpressionStatement(statement)) return false;
  const { expression } = statement;
  if (t.isAssignmentExpression(expression)) return parts.has(rootOf(expression.left));
  return t.isCallExpression(expression) && parts.has(rootOf(expression.callee));
}

function rootOf(node: t.Node): string {
  if (t.isMemberExpression(node)) return rootOf(node.object);
  return t.isIdentifier(node) ? node.name : '';
}

function without(code: string, statements: readonly t.Statement[]): string {
  return statements.reduceRight((left, { start, end }) => left.slice(0, start ?? 0) + left.slice(end ?? 0), code);
}
