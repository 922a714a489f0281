// The floor: a large square on the scene's plane, with a grid that fades into the background.
import * as THREE from 'three';

const vertexShader = `
#include <common>
#include <shadowmap_pars_vertex>
varying vec3 vPlace;
void main() {
    #include <beginnormal_vertex>
    #include <defaultnormal_vertex>
    #include <begin_vertex>
    vec4 worldPosition = modelMatrix * vec4(transformed, 1.0);
    vPlace = position;
    #include <shadowmap_vertex>
    gl_Position = projectionMatrix * viewMatrix * worldPosition;
}`;

const fragmentShader = `
#include <common>
#include <packing>
#include <lights_pars_begin>
#include <shadowmap_pars_fragment>
uniform vec3 uFloor, uLine, uSky;
uniform float uCell, uReach;
varying vec3 vPlace;

float grid(vec2 place, float cell, float width) {
    vec2 at = place / cell;
    vec2 step = fwidth(at);
    vec2 lines = smoothstep(step * width, vec2(0.0), abs(fract(at - 0.5) - 0.5));
    float fine = 1.0 - smoothstep(0.2, 0.6, max(step.x, step.y));
    return max(lines.x, lines.y) * fine;
}

void main() {
    vec2 place = vPlace.xy;
    vec3 color = mix(uFloor, uLine, 0.32 * grid(place, uCell, 1.2));
    color = mix(color, uLine, 0.5 * grid(place, uCell * 10.0, 1.5));
    float shade = 1.0;
    #if NUM_DIR_LIGHT_SHADOWS > 0
        DirectionalLightShadow light = directionalLightShadows[0];
        shade = getShadow(directionalShadowMap[0], light.shadowMapSize, light.shadowIntensity, light.shadowBias, light.shadowRadius, vDirectionalShadowCoord[0]);
    #endif
    color *= mix(0.66, 1.0, shade);
    float far = smoothstep(0.25, 1.0, length(place) / uReach);
    gl_FragColor = vec4(mix(color, uSky, far), 1.0);
    #include <colorspace_fragment>
}`;

export class Floor {
    readonly mesh: THREE.Mesh<THREE.PlaneGeometry, THREE.ShaderMaterial>;
    private normal = new THREE.Vector3(0, 1, 0);
    private offset = 0;

    constructor() {
        const material = new THREE.ShaderMaterial({
            vertexShader,
            fragmentShader,
            lights: true,
            uniforms: THREE.UniformsUtils.merge([
                THREE.UniformsLib.lights,
                { uFloor: { value: new THREE.Color() }, uLine: { value: new THREE.Color() }, uSky: { value: new THREE.Color() }, uCell: { value: 0.1 }, uReach: { value: 10 } },
            ]),
        });
        this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), material);
        this.mesh.receiveShadow = true;
        this.mesh.visible = false;
    }

    setColors(floor: number, line: number, sky: number): void {
        const { uFloor, uLine, uSky } = this.mesh.material.uniforms;
        (uFloor.value as THREE.Color).set(floor);
        (uLine.value as THREE.Color).set(line);
        (uSky.value as THREE.Color).set(sky);
    }

    hide(): void {
        this.mesh.visible = false;
    }

    show(plane: [number, number, number, number], _color: number): void {
        this.normal.set(plane[0], plane[1], plane[2]);
        this.offset = plane[3];
        this.mesh.visible = true;
    }

    /** Under what the camera looks at, as large as it sees. */
    place(target: THREE.Vector3, size: number): void {
        const reach = size * 8, cell = 10 ** Math.floor(Math.log10(size / 3));
        const distance = target.dot(this.normal) - this.offset;
        this.mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.normal);
        this.mesh.position.copy(target).addScaledVector(this.normal, -distance);
        this.mesh.geometry.dispose();
        this.mesh.geometry = new THREE.PlaneGeometry(2 * reach, 2 * reach);
        this.mesh.material.uniforms.uCell.value = cell;
        this.mesh.material.uniforms.uReach.value = reach;
    }
}
