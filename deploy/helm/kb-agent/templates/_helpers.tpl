{{/* What the names of objects begin with; they are 63 characters at most, with what follows. */}}
{{- define "kb-agent.fullname" -}}
{{- $name := .Values.fullnameOverride -}}
{{- if not $name -}}
{{- $name = contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) -}}
{{- end -}}
{{- $name = $name | trunc 50 | trimSuffix "-" -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) -}}
{{- fail (printf "fullnameOverride: names of objects cannot begin with %q: they take a-z, 0-9 and -, and a letter first" $name) -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{/* The secret's name, whoever made it. */}}
{{- define "kb-agent.secret" -}}
{{- .Values.secret.name | default (include "kb-agent.fullname" .) -}}
{{- end -}}

{{/* What finds pods: never changed, as a deployment's selector cannot be. Takes a list: the root, the component. */}}
{{- define "kb-agent.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ $root.Chart.Name }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{/* The labels of every object. Takes a list: the root, the component. */}}
{{- define "kb-agent.labels" -}}
{{- $root := index . 0 -}}
{{ include "kb-agent.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* What every pod is: nobody in particular, without a token of the cluster, on the nodes that were asked for. */}}
{{- define "kb-agent.pod" -}}
automountServiceAccountToken: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* What every container is: our image, which may write to two folders and do nothing else. */}}
{{- define "kb-agent.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: ["ALL"]
{{- end -}}

{{/* Without it each pod would start a database of its own: so none starts where the secret lacks it. Takes its name. */}}
{{- define "kb-agent.database" -}}
- name: KB_AGENT_DATABASE_URL
  valueFrom:
    secretKeyRef: {name: {{ . }}, key: KB_AGENT_DATABASE_URL}
{{- end -}}

{{- define "kb-agent.mounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: data, mountPath: /var/lib/kb-agent}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "kb-agent.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
  emptyDir: {}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}
