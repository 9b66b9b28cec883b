/** What is shipped as values for these methods: it changes nothing, and says what there is to change. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { methodPresetSchema } from '../../src/io/preset-kinds.ts';
import { readYaml } from '../../src/io/yaml-file.ts';
import { loadMethod } from '../../src/protocols/debate/catalog.ts';
import { checkMethodPreset } from '../../src/protocols/debate/desk/values.ts';
import { readSettings } from '../../src/sdk/config.ts';

describe.each(['standard', 'advocate', 'socratic', 'oxford'])(
  'the commented preset methods/%s',
  (name) => {
    const file = new URL(`../../presets/methods/${name}.yaml`, import.meta.url);
    const text = readFileSync(file, 'utf8');

    it('sets every setting to its default value', async () => {
      const definition = await loadMethod(name);
      const { value } = readYaml(fileURLToPath(file), text, methodPresetSchema);
      expect(readSettings(definition, [], value.settings)).toEqual(readSettings(definition, []));
      expect(Object.keys(value.settings ?? {})).toEqual(Object.keys(readSettings(definition, [])));
    });

    it('contains every text of the method’s prompts unchanged', async () => {
      const definition = await loadMethod(name);
      const whole = text.replace(/^# (?=seats:|texts:| )/gm, '');
      const { value } = readYaml(fileURLToPath(file), whole, methodPresetSchema);
      expect(value.texts).toEqual(definition.texts);
      expect(() => checkMethodPreset(definition, value)).not.toThrow();
      expect(value.seats?.length).toBeGreaterThan(1);
    });
  },
);
